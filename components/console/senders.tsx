import type { inferRouterOutputs } from '@trpc/server'
import { ArrowUpRight } from 'lucide-react'
import type { Root } from '@/server/trpc/root'
import { addressUrl, titleOf } from '../settlements/explorer'
import { Badge } from '../ui/badge'
import { Copyable } from '../ui/copyable'
import { Skeleton } from '../ui/panel'
import { coinAmount, runway } from './coin'

type Sender = inferRouterOutputs<Root>['admin']['senders'][number]

const STATUS = {
  starting: ['plain', 'starting'],
  ready: ['good', 'ready'],
  stuck: ['bad', 'stuck: its oldest transaction does not land'],
  'leased elsewhere': ['plain', 'at work in another instance'],
  'wrong chain': ['bad', 'its node is on another chain'],
  quarantined: ['bad', 'quarantined: chain and ledger disagree'],
  'low balance': ['bad', 'too little gas'],
  stopped: ['warn', 'stopped'],
} as const satisfies Record<Sender['status'], readonly [string, string]>

const COLUMNS = ['Network', 'Signer', 'Serves', 'State', 'Balance', 'Lasts for']
const SOON_DAYS = 7

/** Our signers, with what they have to pay gas with. */
export function Senders({ senders }: { senders: Sender[] | undefined }) {
  if (senders?.length === 0) {
    return <p className="m-0 px-4 py-6 text-soft">No signer is configured; another facilitator may send for us.</p>
  }
  return (
    <div className="overflow-x-auto">
      <table className="min-w-[44rem]">
        <thead>
          <tr className="border-0 border-b border-solid border-line text-[0.8125rem] text-soft">
            {COLUMNS.map((title) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2 font-medium first:pl-4 last:pr-4 ${title === 'Balance' ? 'text-right' : ''}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {senders
            ? senders.map((sender) => <Row key={`${sender.network} ${sender.address}`} sender={sender} />)
            : ['a', 'b', 'c', 'd'].map((line) => (
                <tr key={line} className="h-11">
                  <td colSpan={COLUMNS.length} className="px-4">
                    <Skeleton />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ sender: { network, address, laneClass, status, balance, runwayDays } }: { sender: Sender }) {
  const [tone, words] = STATUS[status]
  const held = balance === null ? null : coinAmount(network, balance)
  const url = addressUrl(network, address)
  return (
    <tr className="h-11 border-0 border-b border-solid border-line last:border-b-0">
      <td className="pl-4 whitespace-nowrap">{titleOf(network)}</td>
      <td className="px-3">
        <span className="inline-flex items-center gap-1.5">
          <Copyable text={address} label="signer" />
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label="See it in the explorer"
              className="text-soft hover:text-accent"
            >
              <ArrowUpRight aria-hidden className="size-4" />
            </a>
          ) : null}
        </span>
      </td>
      <td className="px-3">{laneClass}</td>
      <td className="px-3">
        <Badge tone={tone}>{words}</Badge>
      </td>
      <td className="px-3 text-right whitespace-nowrap tabular-nums" title={held?.exact}>
        {held?.shown ?? <span className="text-soft">unknown</span>}
      </td>
      <td
        className={`px-3 pr-4 whitespace-nowrap ${runwayDays !== null && runwayDays < SOON_DAYS ? 'font-medium text-bad' : runwayDays === null ? 'text-soft' : ''}`}
        title="At the pace of the last seven days"
      >
        {runway(runwayDays)}
      </td>
    </tr>
  )
}
