import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { coins } from '@/server/x402/amounts'
import { isNetworkId, networks } from '@/server/x402/networks'
import { titleOf } from '../settlements/explorer'
import { Linked } from '../settlements/linked'
import { Badge } from '../ui/badge'
import { Skeleton } from '../ui/panel'
import { TableHead } from '../ui/table-head'

type Sender = inferRouterOutputs<Root>['admin']['senders'][number]

const STATUS = {
  starting: ['plain', 'Starting'],
  ready: ['good', 'Ready'],
  stuck: ['bad', 'Stuck: oldest transaction not mined'],
  'leased elsewhere': ['plain', 'Used by another instance'],
  'wrong chain': ['bad', 'RPC on the wrong chain'],
  quarantined: ['bad', 'Quarantined: chain and ledger disagree'],
  'low balance': ['bad', 'Low gas balance'],
  stopped: ['warn', 'Stopped'],
} as const satisfies Record<Sender['status'], readonly [string, string]>

const COLUMNS = ['Network', 'Signer', 'Tier', 'State', 'Balance', 'Lasts']
const SOON_DAYS = 7
const LINES = ['a', 'b', 'c', 'd']
const keyOf = ({ network, address }: Sender) => `${network} ${address}`

/** Our signers with their gas balances. */
export function Senders({ senders }: { senders: Sender[] | undefined }) {
  if (senders?.length === 0) {
    return <p className="m-0 px-4 py-6 text-soft">No signer configured. An upstream facilitator may settle instead.</p>
  }
  return (
    <div className="overflow-x-auto">
      <ul className="md:hidden">
        {senders
          ? senders.map((sender) => <Card key={keyOf(sender)} sender={sender} />)
          : LINES.map((line) => <Skeleton key={line} className="m-4 h-16" />)}
      </ul>
      <table className="min-w-[44rem] max-md:hidden">
        <TableHead titles={COLUMNS} figures="Balance" />
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
  if (balance === null) return <span className="text-soft">Unknown</span>
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
    <span className={tone} title="At the spending rate of the last 7 days">
      {balance === null ? 'Unknown' : runway(runwayDays)}
    </span>
  )
}

const SHOWN_DECIMALS = 6

/** A balance in the coin of a network, rounded down for display, and exact. `digits` counts its smallest unit. */
function coinAmount(network: string, digits: string): { shown: string; exact: string } {
  const { symbol, decimals } = coins[isNetworkId(network) ? networks[network].family : 'evm']
  const padded = digits.padStart(decimals + 1, '0')
  const whole = BigInt(padded.slice(0, -decimals)).toLocaleString('en')
  const fraction = padded.slice(-decimals)
  const written = (part: string) => {
    const kept = part.replace(/0+$/, '')
    return `${kept ? `${whole}.${kept}` : whole} ${symbol}`
  }
  return { shown: written(fraction.slice(0, SHOWN_DECIMALS)), exact: written(fraction) }
}

/** How long a balance lasts, as text. */
function runway(days: number | null): string {
  if (days === null) return 'No recent spending'
  if (days === 0) return 'Less than a day'
  if (days > 365) return 'Over a year'
  return days === 1 ? '1 day' : `${days} days`
}
