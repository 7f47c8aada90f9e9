import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { networkRow, networkTitle } from '@/server/x402/networks/networks'
import { Time } from '../../client/time'
import { Badge, titled } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Linked } from '../../ui/explorer-link'
import { duration } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { keysOf } from '../../ui/list'
import { Skeleton } from '../../ui/panel'
import { coinAmount, lasting, missingText, runway, SOON_DAYS } from './coin'
import { FundSigner } from './fund-signer'
import { NetworkExtras } from './network-extras'
import { networkState } from './network-state'
import type { OperationsStatus, Sender } from './operations-status'
import { SenderStatus } from './sender-status'

type Network = OperationsStatus['networks'][number]

// Each has room for its longest value in one line, also on a tablet.
const COLUMNS =
  'md:grid-cols-[minmax(9.75rem,5fr)_minmax(7rem,2fr)_minmax(5.75rem,4fr)_minmax(3.75rem,2fr)_minmax(3.5rem,3fr)_minmax(7rem,4fr)_1rem]'
const PAIR = 'col-span-3 flex justify-between gap-x-4 md:contents'

const TITLES = [
  ['Network and tiers'],
  ['State'],
  ['Newest block'],
  ['RPC p50', '10 min'],
  ['Signers', 'ready'],
  ['Gas lasts', 'at the 7-day pace'],
] as const

/** The titles of the columns of networks. */
export function NetworkTitles() {
  return (
    <div aria-hidden className={cx('hidden gap-x-3 border-b px-4 py-2.5 text-sm font-medium text-soft md:grid', COLUMNS)}>
      {TITLES.map(([title, below]) => (
        <span key={title}>
          {title} <span className="block text-xs font-normal">{below}</span>
        </span>
      ))}
    </div>
  )
}

/**
 * A network in a row: its state, newest block and signers. Its endpoints and signers are below, open if something is wrong. `senders` is
 * null if they cannot be read.
 */
export function NetworkCard({ status, senders }: { status: Network; senders: Sender[] | undefined | null }) {
  const { network, tiers, block, queue, endpoints, signers, contradiction, mints, factories } = status
  const own = senders?.filter((sender) => sender.network === network)
  const [tone, words] = networkState(status, own)
  const [least] = own?.toSorted((one, other) => daysOf(one) - daysOf(other)) ?? []
  const [wait] = endpoints.flatMap(({ medianMs }) => medianMs ?? [])
  const failed = endpoints.reduce((sum, one) => sum + one.failed, 0)
  return (
    <section
      id={network}
      aria-label={networkTitle(network)}
      className="relative min-w-0 scroll-mt-20 border-b last:border-b-0 lg:scroll-mt-4"
    >
      <details open={tone === 'bad' || tone === 'warn'} className="group">
        <summary
          className={cx(
            'grid min-h-14 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto_1rem] items-start gap-x-3 gap-y-0.5 px-4 py-2.5 hover:bg-code/60 [section:last-child>details:not([open])>&]:rounded-b-xl [&::-webkit-details-marker]:hidden',
            COLUMNS,
          )}
        >
          <span>
            <h3 className="leading-6 font-semibold">{networkTitle(network)}</h3>
            <span className="block text-sm text-soft">
              <span className="md:sr-only">Tiers: </span>
              {titled(tiers.join(', ')) || 'None'}
            </span>
          </span>
          <span className="flex h-6 items-center max-md:justify-end">
            <Badge tone={tone}>{words}</Badge>
          </span>
          <ChevronDown aria-hidden className="mt-1 size-4 text-soft transition-transform group-open:rotate-180 md:order-last" />
          {/* Columns of the row, or on a phone two lines below it. */}
          <span className={PAIR}>
            <Value
              name="Gas"
              below={least && least.balance !== null ? coinAmount(network, least.balance).shown : null}
              className="md:order-2"
            >
              {least ? <Runway sender={least} /> : '–'}
            </Value>
            <Value name="Signers" className="md:order-1">
              {readyText(own)}
            </Value>
          </span>
          <span className={PAIR}>
            <Value name="Block" below={block ? <Time at={block.at} /> : null}>
              {block ? BigInt(block.number).toLocaleString('en') : 'Unknown'}
            </Value>
            <Value name="RPC" below={wait === undefined && failed === 0 ? null : <Failed count={failed} />}>
              {wait === undefined ? '–' : waitText(wait)}
            </Value>
          </span>
        </summary>
        <div className="border-t">
          {contradiction === null ? null : (
            <p className="border-b px-4 py-3 wrap-anywhere text-bad">
              Nothing settles here: {contradiction}. If you change the environment, restart.
            </p>
          )}
          {queue ? (
            <p className="border-b px-4 py-3">
              {queued(queue).toLocaleString('en')} in the queue: {stepsOf(queue)}; the oldest came <Time at={queue.oldest} />.
            </p>
          ) : null}
          <div className="grid xl:grid-cols-2 xl:divide-x xl:divide-line">
            {/* The line between the columns ends with the longer one. */}
            <div>
              <Endpoints network={network} endpoints={endpoints} />
            </div>
            {signers === 0 ? (
              <p className="px-4 py-4 text-soft max-xl:border-t">
                No signer configured. An upstream facilitator may settle instead.
              </p>
            ) : senders === null ? null : (
              <div>
                <Signers senders={own} count={signers} />
              </div>
            )}
          </div>
          <NetworkExtras network={network} mints={mints} factories={factories} />
        </div>
      </details>
      {/* Between the gas and the chevron of its row, where both leave it room. */}
      {least ? (
        <span className="absolute top-2.5 right-11 max-xl:hidden">
          <FundSigner sender={least} />
        </span>
      ) : null}
    </section>
  )
}

/** A figure of a network. Its name is the title of its column, and on a phone it is before it. */
function Value({ name, below, className, children }: ValueProps) {
  return (
    <span className={cx('min-w-0 tabular-nums max-md:text-sm md:leading-6 md:whitespace-nowrap', className)}>
      <span className="text-soft md:sr-only">{name}: </span>
      {children}
      {below ? (
        <span className="text-soft md:block md:text-sm md:leading-5">
          <span className="md:hidden"> · </span>
          {below}
        </span>
      ) : null}
    </span>
  )
}

type ValueProps = { name: string; below?: ReactNode; className?: string; children: ReactNode }

const Failed = ({ count }: { count: number }) => <span className={cx(count > 0 && 'text-bad')}>{count} failed</span>

const readyText = (senders: readonly Sender[] | undefined): string =>
  senders ? `${senders.filter(({ status }) => status === 'ready').length} of ${senders.length}` : '–'

const waitText = (ms: number): string => (ms < 1 ? '< 1 ms' : duration(ms))

// Without gas it lasts no day, also if it spent nothing lately.
const daysOf = ({ balance, runwayDays }: Sender) => (balance === '0' ? -1 : (runwayDays ?? Number.MAX_SAFE_INTEGER))

/** How long the gas of a signer lasts. */
function Runway({ sender: { balance, runwayDays } }: { sender: Sender }) {
  if (balance === '0') return <span className="font-medium text-bad">Empty</span>
  const tone = runwayDays === null ? 'text-soft' : runwayDays < SOON_DAYS ? 'font-medium text-bad' : undefined
  return <span className={tone}>{balance === null ? 'Unknown' : runway(runwayDays)}</span>
}

type Queue = NonNullable<Network['queue']>

const queued = ({ claimed, prepared, broadcast }: Queue) => claimed + prepared + broadcast

function stepsOf({ claimed, prepared, broadcast }: Queue): string {
  const parts = [
    [claimed, 'to sign'],
    [prepared, 'signed'],
    [broadcast, 'sent'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
  return said.join(', ')
}

const HEAD = 'px-1.5 py-2 text-xs font-medium text-soft first:pl-4 last:pr-4 sm:px-2'
const CELL = 'px-1.5 py-2 first:pl-4 last:pr-4 sm:px-2'
const ROW = 'border-t'
const TALL = cx(ROW, 'h-[3.75rem]')

const ENDPOINT_NAMES = { flash: 'Flash endpoint', send: 'Send endpoint' } as const
const ENDPOINTS = { fit: ['good', 'Healthy'], silent: ['bad', 'No answer'], foreign: ['bad', 'Wrong chain'] } as const

// As the configuration names it: solana-devnet is SOLANA_DEVNET_RPC_URL.
const variableOf = (network: Network['network']) => `${networkRow(network).name.toUpperCase().replaceAll('-', '_')}_RPC_URL`

/** The endpoints by variable and position: their URLs, hosts included, may hold keys. */
function Endpoints({ network, endpoints }: Pick<Network, 'network' | 'endpoints'>) {
  return (
    <table className="table-fixed">
      <thead>
        <tr>
          <th scope="col" className={HEAD}>
            <Hint text="By its position in its variable. Its URL may hold a key.">RPC endpoint</Hint>
          </th>
          <th scope="col" className={cx(HEAD, 'w-16 text-right sm:w-24')}>
            <Hint text="Half of the last 100 calls in ten minutes were faster.">p50</Hint>
          </th>
          <th scope="col" className={cx(HEAD, 'w-18 text-right sm:w-32')}>
            <Hint text="Of the last 100 calls in ten minutes.">
              Failed, <span className="whitespace-nowrap">10 min</span>
            </Hint>
          </th>
          <th scope="col" className={cx(HEAD, 'w-27 text-right sm:w-30')}>
            State
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ status, calls, failed, medianMs, use, variable = variableOf(network) }, at) => {
          const [tone, words] = status === 'fit' && calls === 0 ? (['plain', 'Standby'] as const) : ENDPOINTS[status]
          const no = at + 1 - endpoints.findIndex((one) => one.use === use)
          const name = `${use ? ENDPOINT_NAMES[use] : 'Endpoint'} ${no}`
          return (
            <tr key={name} className={TALL}>
              <td className={CELL}>
                {name}
                <code className="block truncate text-xs text-soft max-sm:hidden" title={variable}>
                  {variable}
                </code>
              </td>
              <td className={cx(CELL, 'text-right whitespace-nowrap tabular-nums')}>
                {medianMs === null ? '–' : waitText(medianMs)}
              </td>
              <td className={cx(CELL, 'text-right whitespace-nowrap tabular-nums', failed > 0 && 'text-bad')}>
                {calls === 0 ? '–' : `${failed} of ${calls}`}
              </td>
              <td className={cx(CELL, 'text-right')}>
                <Badge tone={tone}>{words}</Badge>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Signers({ senders, count }: { senders: Sender[] | undefined; count: number }) {
  return (
    <table className="max-xl:border-t sm:table-fixed">
      {/* On a phone the rows decide how wide its columns are. */}
      <thead className={cx(!senders && 'max-sm:invisible')}>
        <tr>
          <th scope="col" className={HEAD}>
            <Hint text="An account of this service that sends payments here: production for API keys, sandbox for /sandbox.">
              Signer
            </Hint>
          </th>
          <th scope="col" className={cx(HEAD, 'text-right sm:w-52')}>
            <Hint text="Days of gas at the spending rate of the last 7 days.">Gas balance</Hint>
          </th>
          <th scope="col" className={cx(HEAD, 'text-right sm:w-30')}>
            State
          </th>
        </tr>
      </thead>
      <tbody>
        {senders
          ? senders.map((sender) => <SignerRow key={`${sender.laneClass} ${sender.address}`} sender={sender} />)
          : keysOf(count).map((line) => (
              <tr key={line} className={TALL}>
                <td colSpan={3} className={CELL}>
                  <Skeleton />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  )
}

function SignerRow({ sender }: { sender: Sender }) {
  const { network, address, laneClass, balance, runwayDays, status } = sender
  const coin = balance === null ? null : coinAmount(network, balance)
  const missing = missingText(sender)
  const tone = runwayDays !== null && runwayDays < SOON_DAYS ? 'font-medium text-bad' : 'text-soft'
  return (
    <tr className={TALL}>
      <td className={cx(CELL, 'w-full max-w-0')}>
        <Linked network={network} address={address} label="signer" />
        <span className="flex items-center text-xs text-soft">
          <span className="capitalize">{laneClass}</span>
          <FundSigner sender={sender} />
        </span>
      </td>
      <td className={cx(CELL, 'text-right tabular-nums')}>
        <span className="max-sm:whitespace-nowrap">{coin ? <Hint text={coin.exact}>{coin.shown}</Hint> : 'Unknown'}</span>
        <span className={cx('block text-xs whitespace-nowrap', tone)}>
          {balance === null ? (
            '–'
          ) : missing ? (
            <Hint text={`${missing} more lasts 30 days.`}>{lasting(runwayDays)}</Hint>
          ) : (
            lasting(runwayDays)
          )}
        </span>
      </td>
      <td className={cx(CELL, 'text-right')}>
        <SenderStatus status={status} />
      </td>
    </tr>
  )
}
