import { v7 as uuidv7 } from 'uuid'
import { type App, contradictionIn } from '../../../app'
import { isServiceError } from '../../../base/errors'
import { createPauses, type Loop, startLoop } from '../../../base/loop'
import type { EvmChain } from '../../../chains/evm/chain'
import { type ClaimGroup, claimGroup, groupsOf, payOut } from './claiming'
import { findDue, findPayouts, nameOfDue } from './due-queries'
import { boundsOf, createReadings, READ_ROUNDS, ROUND_MS } from './policy'
import { findWatched, leaveChannels, takeChannels, type WatchedBlock } from './watch-queries'
import { followChain } from './watching'

/** Claims for merchants while the service runs. */
type Keeper = {
  /** The service begins to stop: all that is worth its gas is claimed while requests drain. */
  closing(): void
  /** Stops without waiting for blocks: what is committed is sent by whoever starts next. */
  stop(): Promise<void>
}

/** Where a network has no channels, the pause grows to so many rounds. */
const IDLE_ROUNDS = 12
/** A killed instance's work is taken over after so many rounds, and no sooner than a slow one ends. */
const LEASE_ROUNDS = 3
const LEASE_LEAST_MS = 5_000
/** What is looked at in a round, and of it each tenant's: one that has much in trouble holds up no other. */
const DUE_MAX = { limit: 2_000, eachMax: 200 }
const PAYOUTS_MAX = { limit: 50, eachMax: 5 }
/** Claims and payments under way at once on a network. */
const AT_ONCE = 16
/** What was refused is tried again after this long: for want of gas later, because a day has no more. */
const AGAIN_MS = { races: 5_000, usual: 10_000, spent: 600_000 }
const STOP_MS = 1_000

/** Starts watching the channels of each network with signers for keys, and claims what their merchants charged. One instance at a time does. */
export function startKeeper(app: App, everyMs = ROUND_MS, readRounds = READ_ROUNDS): Keeper {
  const holder = uuidv7()
  const hangUp = new AbortController()
  const keepers = [...app.networks].flatMap(([, network]) => {
    if (network.family !== 'evm' || network.signers.production.length === 0 || app.remotes.has('standard')) return []
    const isServed = () => contradictionIn(network) === null && !network.isUnchecked?.()
    return [startNetwork({ app, chain: network.chain, isServed, holder, hangUp: hangUp.signal, everyMs, readRounds })]
  })
  return {
    closing() {
      for (const one of keepers) one.closing()
    },
    async stop() {
      hangUp.abort()
      await Promise.all(keepers.map((one) => one.stop()))
    },
  }
}

const isSpent = (error: unknown) => isServiceError(error) && error.facts.reason === 'gas_budget_exceeded'

type NetworkOptions = {
  app: App
  chain: EvmChain
  isServed: () => boolean
  holder: string
  hangUp: AbortSignal
  everyMs: number
  readRounds: number
}

function startNetwork({ app, chain, isServed, holder, hangUp, everyMs, readRounds }: NetworkOptions): Keeper {
  const { db, log } = app
  const { network } = chain
  const pauses = createPauses({ usualMs: everyMs, idleMs: IDLE_ROUNDS * everyMs })
  const underWay = new Map<string, Promise<void>>()
  const again = new Map<string, number>()
  const spent = new Map<string, number>()
  const readings = createReadings(readRounds)
  let closing = false
  let held = false
  let baseFee = 0n

  async function round(): Promise<number> {
    const watched = isServed() ? await findWatched(db, network) : null
    if (!watched?.has) {
      await leave()
      return pauses.after(false)
    }
    const last = await takeChannels(db, network, { holder, leaseMs: Math.max(LEASE_ROUNDS * everyMs, LEASE_LEAST_MS) })
    const isFirst = !held
    held = last !== 'elsewhere'
    if (last === 'elsewhere') return pauses.after(true)
    if (readings.isDue(isFirst || closing || watched.unread)) baseFee = await readChain(last)
    const bounds = boundsOf(network, baseFee)
    const except = namesLeftOut()
    const due = await findDue(db, network, { bounds, except, spent: spentNow(), gasPrice: baseFee, closing, ...DUE_MAX })
    for (const group of groupsOf(due)) start(namesOf(group), group.races, () => claimOf(group))
    for (const one of await findPayouts(db, network, { bounds, except, ...PAYOUTS_MAX })) {
      start([nameOfDue(one)], false, async () => {
        await payOut(app, network, one, hangUp)
        return []
      })
    }
    return pauses.after(true)
  }

  /** Brings the rows up to the chain. Resolves with the base fee. */
  async function readChain(last: WatchedBlock | null): Promise<bigint> {
    const head = await followChain({ db, chain, holder, log }, last).catch((error: unknown) => {
      log.warn({ err: error, network }, 'the channels of a network cannot be read now')
      readings.again()
      // What the rows say already can be claimed while a node is late.
      return chain.head()
    })
    if (last !== null && head.number < last.number) readings.again()
    return head.baseFee
  }

  // Once the day pays for no more races of a key, its withdrawals are answered as any charge is: by amount and age.
  async function claimOf(group: ClaimGroup): Promise<string[]> {
    try {
      return await claimGroup(app, network, group, hangUp)
    } catch (error) {
      if (group.races && isSpent(error)) spent.set(group.tenantId, performance.now() + AGAIN_MS.spent)
      throw error
    }
  }

  function spentNow(): string[] {
    for (const [tenantId, until] of spent) if (until <= performance.now()) spent.delete(tenantId)
    return [...spent.keys()]
  }

  const namesOf = ({ channels }: ClaimGroup) => channels.map(({ id }) => id)

  /** What is under way, or waits after a refusal. */
  function namesLeftOut(): string[] {
    for (const [name, at] of again) if (at <= performance.now()) again.delete(name)
    return [...underWay.keys(), ...again.keys()]
  }

  // The work resolves with the names that must wait.
  function start(names: readonly string[], races: boolean, work: () => Promise<readonly string[]>): void {
    const wait = (waiting: readonly string[], forMs: number) => {
      for (const name of waiting) again.set(name, performance.now() + forMs)
    }
    const usualMs = races ? AGAIN_MS.races : AGAIN_MS.usual
    if (hangUp.aborted || (new Set(underWay.values()).size >= AT_ONCE && !races)) return
    const running = work().then(
      (waiting) => wait(waiting, usualMs),
      (error: unknown) => {
        log.warn({ err: error, network, races, channels: names.length }, 'claims or payments for a merchant must wait')
        // A withdrawal goes on as any other charge.
        wait(names, isSpent(error) && !races ? AGAIN_MS.spent : usualMs)
      },
    )
    const done = running.finally(() => {
      for (const name of names) underWay.delete(name)
    })
    for (const name of names) underWay.set(name, done)
  }

  async function leave(): Promise<void> {
    if (!held) return
    held = false
    await leaveChannels(db, network, holder)
  }

  const loop: Loop = startLoop(
    round,
    (error) => log.warn({ err: error, network }, 'the channels of a network cannot be looked at now'),
    everyMs,
  )
  return {
    closing() {
      closing = true
      loop.kick()
    },
    async stop() {
      const ended = loop.stop().then(() => Promise.allSettled(underWay.values()))
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([ended, late])
      await leave().catch((error: unknown) =>
        log.debug({ err: error, network }, 'the work for channels was not left; its lease ends'),
      )
    },
  }
}
