'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Environment, isEvmNetwork, networksIn, networkTitle } from '@/server/x402/networks/networks'
import { channelSumsQuery, channelsQuery } from '../../client/channels/queries'
import { type Channel, nameOf, STATES } from '../../client/channels/state'
import { useMinute } from '../../client/clock'
import { environmentTitles } from '../../client/environment'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { pageParser, usePages } from '../../client/use-pages'
import { Button, buttonClass } from '../../ui/button'
import { Example } from '../../ui/example'
import { later } from '../../ui/later'
import { Pager } from '../../ui/pager'
import { Empty, Panel, Skeleton } from '../../ui/panel'
import { Pill } from '../../ui/pill'
import { SearchBox } from '../../ui/search-box'
import { useStepThrough } from '../../ui/step-through'
import { Table } from '../../ui/table'
import { exampleChannels, exampleSums } from './example'
import { ALONE_HEIGHT, addressOf, Card, columnsOf, hasNetworks } from './rows'
import { ChannelSums } from './sums'

const ChannelDetails = later(() => import('./details').then((loaded) => loaded.ChannelDetails))

const ChannelFacts = later(() => import('./details').then((loaded) => loaded.ChannelFacts), <Skeleton className={ALONE_HEIGHT} />)

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
  const isWhole = !narrowed && cursor === undefined && next === null
  const isDone = isWhole && (channels?.every(({ state, atRisk }) => state === 'closed' && atRisk === '0') ?? false)
  const only = isDone && channels?.length === 1 ? channels[0] : undefined
  const networks = networksIn(known).filter(isEvmNetwork)
  if (channels?.length === 0 && !narrowed && cursor === undefined) return <NoChannels environment={known} />
  return (
    <>
      <ScreenHead title="Channels">
        <a href="/docs/channels" className={buttonClass({ size: 'small' })}>
          How channels work
        </a>
      </ScreenHead>
      {only ? null : <ChannelSums sums={sums.data} error={sums.error} retry={sums.refetch} />}
      {filters ? (
        <search className="mb-4 flex flex-wrap items-center gap-2">
          <SearchBox
            what="payers"
            placeholder="Payer address"
            applied={payer ?? ''}
            onSearch={(text) => void set({ payer: text || null, page: null })}
            boxClass="min-w-44 flex-1 sm:max-w-72"
            className="h-10 sm:h-8 sm:text-sm"
          />
          <Pill
            label="State"
            className="max-sm:h-10 max-sm:rounded-lg"
            value={state ?? ''}
            options={[['', 'Any state'], ...states.map((one) => [one, STATES[one]] as const)]}
            onChange={({ target }) => void set({ state: states.find((one) => one === target.value) ?? null, page: null })}
          />
          {isWhole && !hasNetworks(channels) ? null : (
            <Pill
              label="Network"
              className="max-sm:h-10 max-sm:rounded-lg"
              value={network ?? ''}
              options={[['', 'All networks'], ...networks.map((one) => [one, networkTitle(one)] as const)]}
              onChange={({ target }) => setNetwork(networks.find((one) => one === target.value) ?? null)}
            />
          )}
          {narrowed ? (
            <Button look="quiet" size="small" onClick={clear}>
              Clear filters
            </Button>
          ) : null}
        </search>
      ) : null}
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} whole />
      ) : only ? (
        <Panel className="@container p-4">
          <h2 className="sr-only">Channel</h2>
          <ChannelFacts named={nameOf(only)} alone />
        </Panel>
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
              card={(row) => <Card row={row} rows={channels} open={() => open(row)} />}
              opening={(row) => ({ open: () => open(row), href: addressOf(row) })}
              rowClass="h-11"
              loading={{ count: 5, row: 'h-11', card: 'px-4 py-3', shown: 'h-18' }}
            />
          )}
        </div>
      )}
      {isDone ? <Done /> : null}
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

/** Below channels that need nothing: what comes next. */
function Done() {
  return (
    <Panel className="mt-4 flex flex-col justify-between gap-3 px-4 py-3.5 sm:flex-row sm:items-center">
      <div className="grid gap-1">
        <h2 className="font-semibold">Know when a payer withdraws</h2>
        <p className="text-sm text-soft">A webhook tells your server in time to claim.</p>
      </div>
      <Link href="/dashboard/webhooks?new=true" className={buttonClass({ size: 'small' })}>
        Add a webhook
      </Link>
    </Panel>
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
          code={
            <>
              deposit → vouchers → <span className="font-semibold text-accent">claim</span>
            </>
          }
          action={
            <a href="/docs/channels" className={buttonClass({ look: 'primary' })}>
              How to sell through channels
            </a>
          }
        >
          Charge small amounts per request without a transaction for each. A payer deposits once and signs a voucher per request.
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example note="Your channels will look like this.">
          <ChannelSums sums={exampleSums(environment)} />
          <div className="border-t">
            <Table
              columns={columnsOf(() => {}, 'UTC', rows)}
              rows={rows}
              keyOf={nameOf}
              card={(row) => <Card row={row} rows={rows} open={() => {}} />}
              rowClass="h-11"
            />
          </div>
        </Example>
      </div>
    </>
  )
}
