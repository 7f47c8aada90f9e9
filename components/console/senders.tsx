import { titleOf } from '../settlements/explorer'
import { Linked } from '../settlements/linked'
import { Skeleton } from '../ui/panel'
import { TableHead } from '../ui/table-head'
import { coinAmount, runway } from './coin'
import { type Sender, SenderStatus } from './sender-status'

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
        <SenderStatus status={sender.status} />
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
        <SenderStatus status={sender.status} />
      </span>
    </li>
  )
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
