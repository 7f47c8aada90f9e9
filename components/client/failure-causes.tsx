import { type MouseEvent, type ReactNode, useState } from 'react'
import { HISTORY_CODES, reasons } from '@/server/x402/reasons/reasons'
import { naming, payerRemedies, remedies } from '@/server/x402/reasons/remedies'
import { Copyable } from '../ui/copyable'
import { later } from '../ui/later'
import { explainUrl } from './explain/link'
import type { ReaderName } from './filter-parsers'

// Loaded when it first opens.
const ExplainDialog = later(() => import('./explain/explain-dialog').then((loaded) => loaded.ExplainDialog))

type Props = {
  reason: string
  reader: ReaderName
  id: string
  asset: string
  /** The reason in short. */
  title?: string | null
  children?: ReactNode
}

/** Why a payment of this token failed and what to do about it. `id` is that of its settlement or history row; the children follow. */
export function Why({ reason, reader, id, asset, title = null, children }: Props) {
  const remedy = (reader === 'payer' ? payerFixes[reason] : undefined) ?? remedyFor(reason)
  return (
    <div className="grid grid-cols-1 gap-1 rounded-lg bg-bad-wash px-4 py-3">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {title === null ? null : <h3 className="font-semibold text-bad">{title}</h3>}
        <span className="text-sm">
          <Copyable text={reason} shown={reason} label="code" />
        </span>
      </div>
      <p className={title === null ? 'font-medium text-bad' : undefined}>{causeOf(reason)}</p>
      <p className="font-medium">{naming(asset, remedy)}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        {children}
        <Explained id={id} />
        <a href={`/docs/errors#reason-${reason}`} className="inline-flex min-h-6 items-center">
          About this error
        </a>
      </div>
    </div>
  )
}

/** Opens the explanation over the page; in a new tab, as a page. */
function Explained({ id }: { id: string }) {
  const [state, setState] = useState<'closed' | 'open' | 'unopened'>('unopened')
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setState('open')
  }
  return (
    <>
      <a href={explainUrl(id)} aria-haspopup="dialog" onClick={open} className="inline-flex min-h-6 items-center">
        See all checks
      </a>
      {state === 'unopened' ? null : <ExplainDialog input={id} open={state === 'open'} onClose={() => setState('closed')} />}
    </>
  )
}

const historyReasons: Record<string, { cause: string; remedy: string }> = HISTORY_CODES
const causes: Record<string, string> = reasons
const fixes: Record<string, string> = remedies
const payerFixes: Record<string, string | undefined> = payerRemedies

/** The cause behind a reason code. */
export function causeOf(reason: string): string {
  return historyReasons[reason]?.cause ?? causes[reason] ?? 'The payment failed for an unknown reason.'
}

/** What to do about a reason code. */
export function remedyFor(reason: string): string {
  return historyReasons[reason]?.remedy ?? fixes[reason] ?? HISTORY_CODES.unknown.remedy
}

// The merchant says it.
const OUR_SIDE = 'You can do nothing about it. We must correct our side; pay again after that.'

/** What the payer of this token can do about a reason code, as the merchant says it to the payer. */
export function adviceFor(reason: string, asset: string): string {
  return naming(asset, payerFixes[reason] ?? OUR_SIDE)
}
