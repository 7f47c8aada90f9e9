import Link from 'next/link'
import { titleOf } from '../settlements/explorer'
import { Badge } from '../ui/badge'
import { shortened } from '../ui/copyable'
import { usdc } from '../ui/figures'
import { Skeleton } from '../ui/panel'
import { Time } from '../ui/time'
import type { Standing } from './networks'

const STATES = {
  CLAIMED: 'not signed yet',
  PREPARED: 'signed, not known to be sent',
  BROADCAST: 'sent, in no block yet',
} as const satisfies Record<Standing['stuck'][number]['state'], string>

/** Settlements that should have ended, the oldest first; each leads to what else its payer and its tenant did. */
export function Stuck({ rows }: { rows: Standing['stuck'] | undefined }) {
  if (!rows) return <Skeleton className="m-4 h-9" />
  if (rows.length === 0) return <p className="m-0 px-4 py-6 text-soft">Nothing is stuck.</p>
  return (
    <ul>
      {rows.map(({ id, network, state, tenantId, payer, amount, createdAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
        >
          <span className="grid min-w-0">
            <span>
              <span className="font-medium tabular-nums">{usdc(amount)} USDC</span> on {titleOf(network)}, claimed{' '}
              <Time at={createdAt} />
            </span>
            <span className="text-[0.8125rem] text-soft">
              by <Link href={`/console/history?payer=${payer}`}>{shortened(payer)}</Link> for tenant{' '}
              <Link href={`/console/history?tenant=${tenantId}`}>{tenantId.slice(-8)}</Link>
            </span>
          </span>
          <Badge tone="warn">{STATES[state]}</Badge>
        </li>
      ))}
    </ul>
  )
}
