import { HISTORY_CODES, reasons } from '@/server/x402/reasons'
import { remedies } from '@/server/x402/remedies'

/** Why a payment failed and what to do about it, in words, with where to read more. */
export function Why({ reason }: { reason: string }) {
  return (
    <div className="grid gap-1 rounded-lg bg-bad-wash px-4 py-3">
      <p className="m-0 font-medium text-bad">{causeOf(reason)}</p>
      <p className="m-0">{remedyFor(reason)}</p>
      <a href={`/docs#reason-${reason}`} className="text-[0.8125rem]">
        {reason} in the reference
      </a>
    </div>
  )
}

const ofHistory: Record<string, { cause: string; remedy: string }> = HISTORY_CODES
const causes: Record<string, string> = reasons
const cures: Record<string, string> = remedies

/** A reason in words. */
export function causeOf(reason: string): string {
  return ofHistory[reason]?.cause ?? causes[reason] ?? 'The payment failed for a reason that has no name.'
}

/** What to do about it. */
export function remedyFor(reason: string): string {
  return ofHistory[reason]?.remedy ?? cures[reason] ?? HISTORY_CODES.unknown.remedy
}
