import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { titleOf } from '../settlements/explorer'
import { Linked } from '../settlements/linked'
import { Badge } from '../ui/badge'
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
const LINES = ['a', 'b', 'c', 'd']
const keyOf = ({ network, address }: Sender) => `${network} ${address}`

/** Our signers, with what they have to pay gas with. */
export function Senders({ senders }: { senders: Sender[] | undefined }) {
  if (senders?.length === 0) {
    return <p className="m-0 px-4 py-6 text-soft">No signer is configured; another facilitator may send for us.</p>
  }
  return (
    <div className="overflow-x-auto">
      <ul className="md:hidden">
        {senders
          ? senders.map((sender) => <Card key={keyOf(sender)} sender={sender} />)
          : LINES.map((line) => <Skeleton key={line} className="m-4 h-16" />)}
      </ul>
      <table className="min-w-[44rem] max-md:hidden">
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
            ? senders.map((sender) => <Row key={keyOf(sender)} sender={sender} />)
            : LINES.map((line) => (
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

function Row({ sender }: { sender: Sender }) {
  return (
    <tr className="h-11 border-0 border-b border-solid border-line last:border-b-0">
      <td className="pl-4 whitespace-nowrap">{titleOf(sender.network)}</td>
      <td className="px-3">
        <Linked network={sender.network} address={sender.address} label="signer" />
      </td>
      <td className="px-3">{sender.laneClass}</td>
      <td className="px-3">
        <Status status={sender.status} />
      </td>
      <td className="px-3 text-right whitespace-nowrap">
        <Balance {...sender} />
      </td>
      <td className="px-3 pr-4 whitespace-nowrap">
        <Runway {...sender} />
      </td>
    </tr>
  )
}

function Card({ sender }: { sender: Sender }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-0 border-b border-solid border-line px-4 py-3 last:border-b-0">
      <span className="font-medium">
        {titleOf(sender.network)} <span className="font-normal text-soft">for {sender.laneClass}</span>
      </span>
      <span className="justify-self-end">
        <Balance {...sender} />
      </span>
      <Linked network={sender.network} address={sender.address} label="signer" />
      <span className="justify-self-end text-[0.8125rem]">
        <Runway {...sender} />
      </span>
      <span className="col-span-2">
        <Status status={sender.status} />
      </span>
    </li>
  )
}

function Status({ status }: Pick<Sender, 'status'>) {
  const [tone, words] = STATUS[status]
  return <Badge tone={tone}>{words}</Badge>
}

function Balance({ network, balance }: Sender) {
  if (balance === null) return <span className="text-soft">unknown</span>
  const { shown, exact } = coinAmount(network, balance)
  return (
    <span className="tabular-nums" title={exact}>
      {shown}
    </span>
  )
}

function Runway({ balance, runwayDays }: Sender) {
  const tone = runwayDays === null ? 'text-soft' : runwayDays < SOON_DAYS ? 'font-medium text-bad' : ''
  return (
    <span className={tone} title="At the pace of the last seven days">
      {balance === null ? 'unknown' : runway(runwayDays)}
    </span>
  )
}
