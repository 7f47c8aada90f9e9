'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { type Environment, isEvmNetwork, networksIn, networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { channelSumsQuery, channelsQuery } from '../../client/channels/queries'
import { type Channel, ChannelState, STATES } from '../../client/channels/state'
import { useMinute } from '../../client/clock'
import { environmentTitles } from '../../client/environment'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { ColumnTime, Time, useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { pageParser, usePages } from '../../client/use-pages'
import { Button, buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Copyable, shortened } from '../../ui/copyable'
import { Example } from '../../ui/example'
import { Aligned, amountText, moneyText, placesOf } from '../../ui/figures'
import { later } from '../../ui/later'
import { openingLink } from '../../ui/opening-row'
import { Pager } from '../../ui/pager'
import { Empty, Panel } from '../../ui/panel'
import { Pill } from '../../ui/pill'
import { SearchBox } from '../../ui/search-box'
import { useStepThrough } from '../../ui/step-through'
import { type Column, Table } from '../../ui/table'
import { exampleChannels, exampleSums } from './example'
import { ChannelSums } from './sums'

const ChannelDetails = later(() => import('./details').then((loaded) => loaded.ChannelDetails))

const states = ['open', 'withdrawing', 'closed'] as const satisfies readonly (keyof typeof STATES)[]

const parsers = {
  state: parseAsStringLiteral(states),
  payer: parseAsString,
  /** The open channel: its network and id. */
  channel: parseAsString,
  ...pageParser,
}

const FEW = 5

/** A merchant's channels: what payers deposited, what vouchers were charged, what is claimed of it, and who withdraws. */
export function Channels() {
  const trpc = useTRPC()
  const [{ state, payer, channel }, set] = useQueryStates(parsers, { history: 'push' })
  const { environment, network, setNetwork } = useEnvironment()
  const known = environment ?? 'mainnet'
  const filter = {
    environment: known,
    ...(network ? { network: [network] } : {}),
    ...(state ? { state } : {}),
    ...(payer ? { payer } : {}),
  }
  const { cursor, neighbors } = usePages(JSON.stringify(filter))
  const enabled = environment !== undefined
  const query = useQuery({
    ...channelsQuery(trpc, { ...filter, ...(cursor ? { cursor } : {}) }),
    enabled,
    placeholderData: keepPreviousData,
  })
  const sums = useQuery({ ...channelSumsQuery(trpc, filter), enabled, placeholderData: keepPreviousData })
  const { channels, next } = query.data ?? {}
  const narrowed = state !== null || Boolean(payer) || network !== null
  const clear = () => {
    setNetwork(null)
    void set({ state: null, payer: null, page: null })
  }
  const open = (to: Channel) => void set({ channel: nameOf(to) })
  const pages = neighbors(next)
  const list = useStepThrough()
  const zone = useColumnZone(channels?.flatMap(({ usedAt }) => usedAt ?? []) ?? [])
  // A few are read faster than filtered.
  const filters = narrowed || (channels?.length ?? FEW) >= FEW || cursor !== undefined || next != null
  const networks = networksIn(known).filter(isEvmNetwork)
  if (channels?.length === 0 && !narrowed && cursor === undefined) return <NoChannels environment={known} />
  return (
    <>
      <ScreenHead title="Channels">
        <a href="/docs/channels" className={buttonClass({ size: 'small' })}>
          How channels work
        </a>
      </ScreenHead>
      <ChannelSums sums={sums.data} error={sums.error} retry={sums.refetch} />
      {filters ? (
        <search className="mb-4 flex flex-wrap items-center gap-2">
          <SearchBox
            what="payers"
            placeholder="Payer address"
            applied={payer ?? ''}
            onSearch={(text) => void set({ payer: text || null, page: null })}
            boxClass="w-full sm:w-72"
            className="h-10 sm:h-8 sm:text-sm"
          />
          <Pill
            label="State"
            value={state ?? ''}
            options={[['', 'Any state'], ...states.map((one) => [one, STATES[one]] as const)]}
            onChange={({ target }) => void set({ state: states.find((one) => one === target.value) ?? null, page: null })}
          />
          <Pill
            label="Network"
            value={network ?? ''}
            options={[['', 'All networks'], ...networks.map((one) => [one, networkTitle(one)] as const)]}
            onChange={({ target }) => setNetwork(networks.find((one) => one === target.value) ?? null)}
          />
          {narrowed ? (
            <Button look="quiet" size="small" onClick={clear}>
              Clear filters
            </Button>
          ) : null}
        </search>
      ) : null}
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} whole />
      ) : (
        <div ref={list} className="panel">
          {channels?.length === 0 ? (
            <Empty title="No channels match" action={<Button onClick={clear}>Clear filters</Button>} />
          ) : (
            <Table
              label="Channels"
              className="w-full text-left"
              wide
              columns={columnsOf(open, zone, channels)}
              rows={channels}
              keyOf={nameOf}
              card={(row) => <Card row={row} withNetwork={hasNetworks(channels)} open={() => open(row)} />}
              opening={(row) => ({ open: () => open(row), href: addressOf(row) })}
              rowClass="h-12"
              cardClass="px-4 py-3"
              loading={{ count: 5, row: 'h-12', card: 'px-4 py-3', shown: 'h-18' }}
            />
          )}
        </div>
      )}
      <Pager {...pages} />
      {channel ? (
        <ChannelDetails
          named={channel}
          rows={channels?.map((one) => ({ id: nameOf(one) }))}
          onOpen={(named) => void set({ channel: named }, { history: 'replace' })}
          onClose={() => void set({ channel: null })}
        />
      ) : null}
    </>
  )
}

/** The amounts of a column, whose points align. With one token only, the head of the column names it. */
function column(rows: readonly Channel[], token: string | null, pick: (row: Channel) => string) {
  const places = placesOf(rows.map((row) => ({ atomic: pick(row), decimals: row.asset.decimals })))
  return (row: Channel) => (
    <>
      <Aligned atomic={pick(row)} decimals={row.asset.decimals} places={places} />
      {token === null ? <span className="text-soft"> {row.asset.symbol}</span> : null}
    </>
  )
}

// Heads and activities take two lines in narrower windows.
const FIGURE = { headClass: 'text-right xl:whitespace-nowrap', cellClass: 'text-right tabular-nums whitespace-nowrap' }

/** Whether all that was charged is claimed. */
const isClaimed = ({ claimed, atRisk }: Channel): boolean => atRisk === '0' && claimed !== '0'

/** In narrower windows the details have it. */
const ROOMY = 'max-2xl:hidden'
const USUAL = 'max-xl:hidden'

/** Whether rows name their networks: one network only is named above the list. */
const hasNetworks = (rows: readonly Channel[] = []): boolean => new Set(rows.map(({ network }) => network)).size > 1

const nameOf = ({ network, id }: Channel) => `${network}/${id}`
const addressOf = (row: Channel) => `/dashboard/channels?channel=${nameOf(row)}`

const columnsOf = (open: (row: Channel) => void, zone: string, rows: readonly Channel[] = []): readonly Column<Channel>[] => {
  const symbols = [...new Set(rows.map(({ asset }) => asset.symbol))]
  const token = symbols.length === 1 ? (symbols[0] ?? null) : null
  const unit = token === null ? '' : ` (${token})`
  const amounts = (pick: (row: Channel) => string) => column(rows, token, pick)
  const deposited = amounts(({ balance }) => balance)
  const charged = amounts((row) => row.charged)
  const atRisk = amounts((row) => row.atRisk)
  const state: Column<Channel> = {
    title: 'State',
    cell: (row) => (
      <a {...openingLink(() => open(row), addressOf(row))} data-opens={nameOf(row)} className="no-underline">
        <ChannelState state={row.state} />
      </a>
    ),
  }
  const payer: Column<Channel> = { title: 'Payer', cell: (row) => <Copyable text={row.payer} label="payer" /> }
  const network = (className = ''): Column<Channel>[] =>
    hasNetworks(rows)
      ? [
          {
            title: 'Network',
            cell: (row) => networkTitle(row.network),
            headClass: className,
            cellClass: cx('whitespace-nowrap', className),
          },
        ]
      : []
  // Of channels that ended all amounts are the same.
  if (rows.length > 0 && rows.every((row) => row.state === 'closed' && isClaimed(row))) {
    return [
      state,
      payer,
      {
        title: 'Key',
        cell: (row) => row.keyName || 'Unnamed key',
        hint: (row) => row.keyName,
        headClass: USUAL,
        cellClass: cx('max-w-60 truncate', USUAL),
      },
      ...network(),
      { title: `Charged and claimed${unit}`, cell: charged, ...FIGURE },
      {
        title: 'Last used',
        head: `Last used (${zone})`,
        cell: ({ usedAt }) => (usedAt ? <ColumnTime at={usedAt} /> : <span className="text-soft">–</span>),
        headClass: 'text-right whitespace-nowrap',
        cellClass: 'text-right whitespace-nowrap tabular-nums',
      },
    ]
  }
  return [
    state,
    payer,
    ...network(ROOMY),
    {
      title: `Deposited${unit}`,
      cell: (row) => <Deposit row={row}>{deposited(row)}</Deposit>,
      ...FIGURE,
    },
    {
      title: `Charged${unit}`,
      cell: charged,
      headClass: `${FIGURE.headClass} ${USUAL}`,
      cellClass: `${FIGURE.cellClass} ${USUAL}`,
    },
    {
      title: `Not yet claimed${unit}`,
      cell: (row) => (isClaimed(row) ? <span className="text-soft">–</span> : <AtRisk row={row}>{atRisk(row)}</AtRisk>),
      ...FIGURE,
    },
    { title: 'Activity', cell: (row) => <Next row={row} />, cellClass: 'xl:whitespace-nowrap' },
  ]
}

function Deposit({ row: { state, balance, claimed, charged }, children }: { row: Channel; children: ReactNode }) {
  // Nothing is left to claim in a closed one.
  if (state === 'closed') return children
  return (
    // The bar takes no room: the amount stays on the line of its row.
    <span className="relative inline-block w-24 xl:w-32">
      {children}
      <span className="absolute inset-x-0 top-full">
        <DepositBar balance={balance} claimed={claimed} charged={charged} className="h-1" />
      </span>
    </span>
  )
}

function AtRisk({ row, children }: { row: Channel; children: ReactNode }) {
  const loud = row.atRisk !== '0' && row.state === 'withdrawing'
  return <span className={loud ? 'font-medium text-warn' : undefined}>{children}</span>
}

/** What happens next to a channel. */
function Next({ row }: { row: Channel }) {
  if (row.withdrawBy) {
    return (
      <span className="text-warn">
        Withdrawal from <Time at={row.withdrawBy} />
      </span>
    )
  }
  if (row.unclaimable) return <span className="text-bad">Cannot be claimed: {row.unclaimable}</span>
  if (row.claimBy) {
    return (
      <span>
        Claim by <Time at={row.claimBy} />
      </span>
    )
  }
  if (row.atRisk !== '0') return <span className="text-soft">Your server claims</span>
  return row.usedAt ? (
    <span className="text-soft">
      Used <Time at={row.usedAt} dated />
    </span>
  ) : (
    <span className="text-soft">–</span>
  )
}

function Card({ row, withNetwork, open }: { row: Channel; withNetwork: boolean; open: () => void }) {
  return (
    <button
      type="button"
      onClick={open}
      data-opens={nameOf(row)}
      className="-mr-1 grid w-[calc(100%+0.25rem)] grid-cols-[minmax(0,1fr)_1rem] items-center gap-x-2.5 text-left text-sm"
    >
      <span className="grid gap-1">
        <span className="flex items-center justify-between gap-3">
          <span className="font-mono">{shortened(row.payer)}</span>
          <span className="font-semibold tabular-nums">{moneyText(row.charged, row.asset)}</span>
        </span>
        {isClaimed(row) && row.balance === row.charged ? null : (
          <span className="tabular-nums">
            Charged of {moneyText(row.balance, row.asset)} ·{' '}
            <AtRisk row={row}>{amountText(row.atRisk, row.asset.decimals)}</AtRisk> not yet claimed
          </span>
        )}
        {row.state === 'closed' ? null : (
          <DepositBar balance={row.balance} claimed={row.claimed} charged={row.charged} className="my-0.5 h-1" />
        )}
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-soft">
          <span className="flex items-center gap-2">
            <ChannelState state={row.state} />
            {withNetwork ? networkTitle(row.network) : null}
          </span>
          {/* At the right edge, also where it has a line of its own. */}
          <span className="ml-auto">
            <Next row={row} />
          </span>
        </span>
      </span>
      <ChevronRight aria-hidden className="size-4 text-soft" />
    </button>
  )
}

function NoChannels({ environment }: { environment: Environment }) {
  const rows = exampleChannels(environment, useMinute())
  return (
    <>
      <ScreenHead title="Channels" />
      <Panel>
        <Empty
          title={`No ${environmentTitles[environment].toLowerCase()} channels yet`}
          action={
            <a href="/docs/channels" className={buttonClass()}>
              How to sell through channels
            </a>
          }
        >
          A payer deposits once and signs a voucher per request. One transaction claims many vouchers.
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example>
          <ChannelSums sums={exampleSums(environment)} />
          <div className="border-t">
            <Table
              columns={columnsOf(() => {}, 'UTC', rows)}
              rows={rows}
              keyOf={nameOf}
              card={(row) => <Card row={row} withNetwork={hasNetworks(rows)} open={() => {}} />}
              rowClass="h-12"
              cardClass="px-4 py-3"
            />
          </div>
        </Example>
      </div>
    </>
  )
}
