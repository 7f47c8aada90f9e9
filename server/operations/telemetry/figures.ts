import type { Gauge } from 'prom-client'
import { formatUnits } from 'viem'
import { SANDBOX_TENANT } from '../../accounts/caller'
import type { App } from '../../app'
import { inTime } from '../../base/timing'
import { isNetworkId, networkRow } from '../../x402/networks/networks'
import {
  readChannelFigures,
  readClock,
  readGasToday,
  readLaneFigures,
  readOutboxLag,
  readQueues,
  readRollupLag,
} from '../queries'
import type { Gauges } from './instruments'

/** The sources of the figures. */
export type FigureParts = Pick<App, 'db' | 'engine' | 'signerBalances' | 'screening' | 'networks' | 'log'>

type Reading = (parts: FigureParts, gauges: Gauges) => Promise<void>

/** A part that hangs must not delay the others. */
const TIMEOUT_MS = 2_000

const readings: Record<string, Reading> = { queues, lanes, gas, channels, outbox, rollups, clock, senders, screening }

/** Reads every figure into its gauge. A part that fails loses its old values and counts as an error. Never throws. */
export async function readFigures(parts: FigureParts, gauges: Gauges): Promise<void> {
  await Promise.all(
    Object.entries(readings).map(async ([part, read]) => {
      const failed = await inTime(read(parts, gauges), TIMEOUT_MS).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (failed) parts.log.warn({ err: failed.error, part }, 'a part of the metrics cannot be read')
      gauges.errors.set({ part }, failed ? 1 : 0)
    }),
  )
}

async function queues({ db, networks }: FigureParts, { queued, underWay, oldest }: Gauges): Promise<void> {
  const rows = await fresh(readQueues(db), queued, underWay, oldest)
  for (const network of new Set([...networks.keys(), ...rows.map((row) => row.network)])) {
    const row = rows.find((one) => one.network === network)
    queued.set({ network }, row?.claimed ?? 0)
    underWay.set({ network }, row ? row.prepared + row.broadcast : 0)
    oldest.set({ network }, row ? Math.max(0, (Date.now() - row.oldest.getTime()) / 1_000) : 0)
  }
}

async function lanes({ db, engine }: FigureParts, { nonce, gap, held, quarantined }: Gauges): Promise<void> {
  // Lanes without a configured signer are left out.
  const ours = new Set(engine.laneStatus().map(({ network, address }) => `${network} ${address}`))
  const rows = await fresh(readLaneFigures(db), nonce, gap, held, quarantined)
  for (const lane of rows.filter(({ network, address }) => ours.has(`${network} ${address}`))) {
    const labels = { network: lane.network, class: lane.class, signer: lane.address }
    if (lane.nextNonce !== null) nonce.set(labels, Number(lane.nextNonce))
    gap.set(labels, lane.unconfirmed)
    held.set(labels, lane.leased ? 1 : 0)
    quarantined.set(labels, lane.quarantined ? 1 : 0)
  }
}

async function gas({ db }: FigureParts, gauges: Gauges): Promise<void> {
  for (const { network, sandbox, spent } of await fresh(readGasToday(db, SANDBOX_TENANT), gauges.gas))
    gauges.gas.set({ network, class: sandbox ? 'sandbox' : 'production' }, coinsOf(network, BigInt(spent)))
}

async function channels({ db }: FigureParts, gauges: Gauges): Promise<void> {
  for (const { network, unclaimed, withdrawing, unclaimable } of await fresh(readChannelFigures(db), gauges.channels))
    for (const [state, count] of Object.entries({ unclaimed, withdrawing, unclaimable }))
      gauges.channels.set({ network, state }, count)
}

async function outbox({ db }: FigureParts, { outboxLag }: Gauges): Promise<void> {
  for (const { kind, seconds } of await fresh(readOutboxLag(db), outboxLag)) outboxLag.set({ kind }, seconds)
}

async function rollups({ db }: FigureParts, { dirtyDays, rollupLag }: Gauges): Promise<void> {
  dirtyDays.set(Number.NaN)
  rollupLag.set(Number.NaN)
  const { days, seconds } = await readRollupLag(db)
  dirtyDays.set(days)
  rollupLag.set(seconds)
}

async function clock({ db }: FigureParts, gauges: Gauges): Promise<void> {
  gauges.clock.set(Number.NaN)
  const sentAt = Date.now()
  const databaseTime = await readClock(db)
  // In the middle of the round trip.
  gauges.clock.set((databaseTime - (sentAt + Date.now()) / 2) / 1_000)
}

async function senders({ engine, signerBalances }: FigureParts, { status, balance }: Gauges): Promise<void> {
  const all = engine.laneStatus()
  status.reset()
  for (const { network, class: laneClass, address, status: its } of all)
    status.set({ network, class: laneClass, signer: address, status: its }, 1)
  const held = await fresh(Promise.all(all.map(({ network, address }) => signerBalances.balance(network, address))), balance)
  for (const [at, { network, class: laneClass, address }] of all.entries()) {
    const units = held[at] ?? null
    if (units !== null) balance.set({ network, class: laneClass, signer: address }, coinsOf(network, units))
  }
}

async function screening({ screening: both }: FigureParts, gauges: Gauges): Promise<void> {
  for (const [laneClass, one] of Object.entries(both))
    gauges.screening.set({ class: laneClass }, one.health() === 'silent' ? 0 : 1)
}

// Old values are dropped when the new ones fail.
async function fresh<T>(sentAt: Promise<T>, ...gauges: Pick<Gauge, 'reset'>[]): Promise<T> {
  for (const gauge of gauges) gauge.reset()
  return sentAt
}

// Floating point, for graphs only: no amount is ever computed from it.
function coinsOf(network: string, units: bigint): number {
  const decimals = isNetworkId(network) ? networkRow(network).coin.decimals : 0
  return Number.parseFloat(formatUnits(units, decimals))
}
