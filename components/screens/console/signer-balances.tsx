import Link from 'next/link'
import { type Environment, environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { LoadingRows } from '../../ui/list'
import { countedText } from '../../ui/list-summary'
import { Panel } from '../../ui/panel'
import { coinAmount, lasting, missingText } from './coin'
import { FundSigner } from './fund-signer'
import type { Sender } from './operations-status'
import { needsCare, SenderStatus } from './sender-status'

/** With many networks the list would be longer than the page. */
const MOST = 5

type Props = {
  senders: Sender[] | undefined
  environment: Environment | undefined
  error: { message: string } | null
  retry: () => void
}

/** The gas balances of the signers of an environment, and which of them need the operator. */
export function SignerBalances({ senders, environment, error, retry }: Props) {
  const own = senders?.filter(({ network }) => isNetworkId(network) && environmentOf(network) === environment)
  const first = own?.toSorted((one, other) => Number(needsCare(other)) - Number(needsCare(one))).slice(0, MOST)
  const more = (own?.length ?? 0) - MOST
  return (
    <Panel
      title="Signer balances"
      action={
        <Link href="/console/networks" className="text-sm">
          All networks and signers
        </Link>
      }
    >
      {error ? (
        <div className="p-4">
          <Problem error={error} retry={retry} />
        </div>
      ) : null}
      {own?.length === 0 ? <p className="px-4 py-6 text-soft">This process has no signers here.</p> : null}
      <ul>
        {first ? (
          first.map((sender) => <SenderLine key={`${sender.network} ${sender.laneClass} ${sender.address}`} sender={sender} />)
        ) : error ? null : (
          <LoadingRows count={2} row={LINE} className="h-[2.625rem] w-full" />
        )}
      </ul>
      {more > 0 ? (
        <p className="border-t px-4 py-2.5 text-sm text-soft">{countedText(more, 'more signer')}, listed under networks.</p>
      ) : null}
    </Panel>
  )
}

const LINE = 'flex items-baseline justify-between gap-x-4 border-b px-4 py-2.5 last:border-b-0'

function SenderLine({ sender }: { sender: Sender }) {
  const { network, laneClass, address, balance, runwayDays, status } = sender
  const missing = missingText(sender)
  return (
    <li className={LINE}>
      <span className="grid min-w-0">
        <span>
          {networkTitle(network)} <span className="text-soft">· {laneClass}</span>
        </span>
        <span className="flex min-h-6 items-center">
          <Copyable text={address} label="signer" />
          <FundSigner sender={sender} />
        </span>
      </span>
      <span className="ml-auto grid justify-items-end text-right whitespace-nowrap">
        <span className={cx('font-medium tabular-nums', status === 'low balance' && 'text-bad')}>
          {balance === null ? 'Unknown' : coinAmount(network, balance).shown}
        </span>
        {needsCare(sender) ? (
          <Link href="/console/networks" className="no-underline hover:underline">
            <SenderStatus status={status} />
          </Link>
        ) : (
          <span className="text-sm text-soft">
            {balance === null ? '–' : lasting(runwayDays)}
            {missing ? `, 30 with ${missing} more` : ''}
          </span>
        )}
      </span>
    </li>
  )
}
