import { v7 as uuidv7 } from 'uuid'
import { unixNow } from '../app'
import type { Failpoint } from '../base/failpoints'
import type { Log } from '../base/log'
import type { Timing } from '../base/timing'
import { type Announcement, announce } from '../db/notices'
import type { Env } from '../env/env'
import { createArrivals } from '../ledger/arrivals'
import { type Engine, startEngine } from '../ledger/engine'
import { type Lane, startLane } from '../ledger/evm/lane'
import { isLarge } from '../ledger/evm/large'
import { startWatcher } from '../ledger/evm/watcher'
import { startFinality } from '../ledger/finality'
import { type Remote, startRemotes } from '../ledger/remote/remotes'
import type { Watched } from '../ledger/returned'
import { rejectClaim } from '../ledger/statements/claims'
import { type LaneClass, laneClasses } from '../ledger/statements/lanes'
import { type SvmSubmitter, startSvmSubmitter } from '../ledger/svm/submitter'
import { type ConfirmationLevel, createWaiters, type Waiters } from '../ledger/waiting'
import { safeDepth } from '../x402/networks/finality'
import type { EvmNetworkId } from '../x402/networks/networks'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import type { SendingChain, SendingCluster } from './chains'
import type { Databases } from './databases'

const HEAD_POLL_MS = 100
/** Solana makes a block every 0.4 seconds. */
const STATUS_POLL_MS = 200
const QUEUE_MAX = 1_000
/** Blocks become final in minutes: a network is asked this many times less often than our own work. */
const FINALITY_RECHECKS = 4

/** How long a request waits for its outcome, milliseconds. */
export type Deadlines = Readonly<Record<ConfirmationLevel, number>>

/** The configured ones. */
export const deadlinesOf = (env: Env): Deadlines => ({ usual: env.SETTLE_DEADLINE_MS, flash: env.FLASH_DEADLINE_MS })

type EngineParts = {
  env: Env
  log: Log
  databases: Databases
  chains: SendingChain[]
  clusters: SendingCluster[]
  /** Other facilitators, by the tier they serve. */
  remotes: ReadonlyMap<string, Remote>
  now: () => Date
  failpoint: Failpoint
  timing: Timing
  deadlines: Deadlines
  /** Drops cached settings and keys of a tenant; null: of all tenants. */
  forget: (tenantId: string | null) => void
  /** A settlement may have ended. */
  ended: () => void
}

/** Starts the engine with a watcher per network, a lane per signer, and a submitter per Solana cluster. */
export async function buildEngine({
  env,
  log,
  databases,
  chains,
  now,
  failpoint,
  timing,
  deadlines,
  forget,
  ...parts
}: EngineParts): Promise<Engine> {
  let engine: Engine | undefined
  const { engine: db, requests, exclusive, locksNames } = databases
  const notify = (what: Announcement) => {
    if (exclusive) return
    announce(db, what).catch((error: unknown) => log.warn({ err: error }, 'the other instances were not notified'))
  }
  const requesting = createWaiters((settlementId, how) => notify({ settlementId, how }))
  const waiters: Waiters = {
    ...requesting,
    wake(settlementId, how) {
      requesting.wake(settlementId, how)
      parts.ended()
    },
    async deliver(settlementIds, act) {
      await requesting.deliver(settlementIds, act)
      parts.ended()
    },
  }
  const release = (settlementId: string, why: 'late' | 'underfunded') => {
    waiters.wake(settlementId, why === 'underfunded' ? 'underfunded' : 'woken')
    // Released at once if no request waits, so that a retry is judged again.
    rejectClaim(db, settlementId, null, why === 'underfunded' ? why : 'not sent').catch((error: unknown) =>
      log.warn({ err: error, settlementId }, 'a claim that will not be signed could not be released now; recovery releases it'),
    )
  }
  const endReturned = (settlementId: string) =>
    engine
      ?.endReturned(settlementId)
      .catch((error: unknown) =>
        log.warn({ err: error, settlementId }, 'a returned payment could not be closed now; recovery closes it'),
      )
  const holder = uuidv7()
  const arrivals = createArrivals()
  const networks = new Map<string, Watched>()
  const lanes: { network: string; class: LaneClass; lane: Lane }[] = []
  const pace = { recheckMs: env.RECHECK_MS, finalityDepth: env.FINALITY_DEPTH, horizonMs: env.SETTLE_HORIZON_MS }
  const unixSeconds = () => unixNow({ now })
  const isLargeOn = (network: EvmNetworkId, transfer: SignedTransfer) => isLarge(network, transfer, env.TWO_ENDPOINT_AMOUNT)
  for (const { chain: read, flash, signers, row } of chains) {
    const chain = row ? { ...read, isExpected: async () => (await read.isExpected()) && (await row.fits()) } : read
    const watcher = startWatcher({
      db,
      chain,
      flash,
      ...pace,
      finalityDepth: safeDepth(chain.network, env.FINALITY_DEPTH),
      isLarge: (transfer) => isLargeOn(chain.network, transfer),
      pollMs: HEAD_POLL_MS,
      now: unixSeconds,
      holder,
      exclusive,
      wake: waiters.wake,
      deliver: waiters.deliver,
      announce: () => notify('slots'),
      returned: () => engine?.kick(),
      failpoint,
      log,
    })
    networks.set(chain.network, { chain, watcher })
    const shared = {
      db,
      chain,
      watcher,
      holder,
      exclusive,
      locksNames,
      failpoint,
      timing,
      log,
      now: unixSeconds,
      release,
      endReturned,
    }
    const bounds = {
      leaseMs: env.LEASE_MS,
      recheckMs: env.RECHECK_MS,
      horizonMs: env.SETTLE_HORIZON_MS,
      inFlightMax: env.LANE_IN_FLIGHT,
      batchMax: env.BATCH_MAX,
      queueMax: QUEUE_MAX,
      arrivals,
    }
    for (const laneClass of laneClasses) {
      for (const signer of signers[laneClass]) {
        const lane = startLane({ ...shared, ...bounds, signer, class: laneClass })
        lanes.push({ network: chain.network, class: laneClass, lane })
      }
    }
  }
  const finality = startFinality({
    db,
    chains: new Map(chains.map(({ chain }) => [chain.network, chain])),
    clusters: parts.clusters.map(({ chain }) => chain.network),
    pauseMs: FINALITY_RECHECKS * env.RECHECK_MS,
    waitedFor: waiters.waitedFor,
    wakeHere: waiters.wakeHere,
    log,
  })
  const clusters = new Map<string, SvmSubmitter>()
  for (const { chain, signers } of parts.clusters) {
    const maxFee = BigInt(env.SVM_MAX_FEE_LAMPORTS)
    const channels = BigInt(env.SVM_UPTO_CHANNELS)
    const shared = { db, chain, signers, maxFee, channels, recheckMs: env.RECHECK_MS, finality, failpoint, timing, log }
    clusters.set(chain.network, startSvmSubmitter({ ...shared, pollMs: STATUS_POLL_MS, wake: waiters.wake, release }))
  }
  const remotes = startRemotes({
    db,
    remotes: parts.remotes,
    chains: chains.map(({ chain }) => chain),
    ...pace,
    isLarge: isLargeOn,
    now: unixSeconds,
    pollMs: HEAD_POLL_MS,
    wake: waiters.wake,
    failpoint,
    timing,
    log,
  })
  const recovery = { ...pace, wake: waiters.wake, finality }
  const offer = () => notify('claims')
  const running = await startEngine({
    db,
    requests,
    instance: holder,
    lanes,
    networks,
    clusters,
    waiters,
    remotes,
    arrivals,
    recovery,
    deadlines,
    release,
    offer,
    exclusive,
    locksNames,
    now: unixSeconds,
    failpoint,
    timing,
    log,
  })
  engine = running
  const listening = await databases.listen({
    instance: holder,
    onNotice(notice) {
      if (typeof notice === 'string' || 'settlementId' in notice) running.onNotice(notice)
      else if ('final' in notice) finality.heard(notice.network)
      else {
        forget(notice.changed)
        // A new connection: notices may have been lost before it.
        if (notice.changed === null) finality.checkAgain()
      }
    },
  })
  return {
    ...running,
    async stop() {
      await listening.close()
      await running.stop()
      await finality.stop()
    },
  }
}
