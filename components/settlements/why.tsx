import { reasons } from '@/server/x402/reasons'

/** Why a payment failed, in words, with where to read more. */
export function Why({ reason }: { reason: string }) {
  return (
    <div className="grid gap-1 rounded-lg bg-bad-wash px-4 py-3">
      <p className="m-0 font-medium text-bad">{wordsFor(reason)}</p>
      <a href={`/docs#reason-${reason}`} className="text-[0.8125rem]">
        {reason}: cause and remedy
      </a>
    </div>
  )
}

/** A reason in words. */
export function wordsFor(reason: string): string {
  const texts: Record<string, string> = { ...reasons, insufficient_funds: "The payer's balance was lower than the amount." }
  return texts[reason] ?? 'The payment failed for a reason that has no name.'
}
