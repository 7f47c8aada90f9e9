import { type Log, silentLog } from '../../../server/base/log'
import { createChain } from './chain'
import { channelBalances } from './channel-bodies'
import { drawChannels, planChannels, type Traffic } from './channel-traffic'
import { type Clients, createClients } from './clients'
import type { Database } from './database'
import { checkEnd, isQuiet, unfinished } from './end'
import { CALM, drawFaults, type Faults, isExact, isTruthful } from './faults'
import { createFleet, type Fleet } from './fleet'
import { drawHaste } from './haste'
import type { Setting } from './instance'
import { isPaid, readLedger, readPaths, spentIn } from './ledger'
import { CALM_MS, drawManaged, LOOKS_EVERY_MS, planManaged } from './managed-traffic'
import { enter, MERCHANTS } from './merchants'
import { drawMetering } from './metering'
import { createOracle, type Oracle, type Violation } from './oracle'
import { drawApprovals, drawBalances, drawExtras, planPurchases, settingsFor, withExtras } from './plan'
import type { Purchase } from './purchase'
import { type Random, randomOf } from './random'
import { createSchedule, type Schedule } from './schedule'
import { followTime, pulse } from './time'
import { spentBy } from './token'

/** The result of one seed. */
export type Run = {
  seed: number
  violations: Violation[]
  trace: string
  events: number
  seconds: number
  successes: number
  paths: string[]
}

/** The longest authorization, plus the time to prove its expiry and to notice the proof. */
const BOUND_MS = 90_000
const NOON = Date.UTC(2026, 10, 22, 12)

type Printing = { print?: (line: string) => void; log?: Log }

/** Runs the service and its world under one seed, on an empty database. */
export async function runSeed(
  seed: number,
  database: Database,
  { print = () => {}, log = silentLog() }: Printing = {},
): Promise<Run> {
  const random = randomOf(`seed ${seed}`)
  const startsAt = NOON + random.whole(0, 999)
  const schedule = createSchedule(startsAt, random.stream('order'), pulse, print)
  database.empty()
  enter(database)
  followTime(schedule)
  try {
    const oracle = await simulate({ seed, random, schedule, database, log, startsAt })
    const { violations } = oracle
    const seconds = schedule.elapsed() / 1_000
    const successes = oracle.successes().length
    return {
      seed,
      violations,
      trace: schedule.trace(),
      events: schedule.events(),
      seconds,
      successes,
      paths: [...readPaths(database), ...oracle.paths()],
    }
  } finally {
    followTime(undefined)
  }
}

type World = { seed: number; random: Random; schedule: Schedule; database: Database; log: Log; startsAt: number }

async function simulate({ seed, random, schedule, database, log, startsAt }: World): Promise<Oracle> {
  const approvals = drawApprovals(seed, random.stream('approvals'))
  const haste = drawHaste(seed, random.stream('haste'))
  const metering = drawMetering(seed, random.stream('upto'))
  const extras = { ...drawExtras(seed, random.stream('permit2'), approvals, haste), metering }
  const drawn = withExtras(drawFaults(random.stream('faults')), extras)
  let faults: Faults = drawn
  let downUntil = 0
  const count = random.whole(1, 3)
  const drawnSetting = drawSetting(random, count)
  const managed = drawManaged(seed, random.stream('managed'))
  const setting: Setting = {
    ...drawnSetting,
    env: { ...drawnSetting.env, ...settingsFor(extras) },
    channelsEveryMs: managed && LOOKS_EVERY_MS,
  }
  schedule.note(JSON.stringify({ count, setting, drawn }))
  const unlucky = () => faults.world.unlucky
  const { blockMs } = extras
  const ether = approvals?.ether ?? new Map()
  const channels = drawChannels(seed, random.stream('channels'))
  const balances = new Map([...drawBalances(random, extras), ...(channels || managed ? channelBalances() : [])])
  const opening = { balances, allowances: extras.allowances, ether }
  const chain = createChain({ startsAt, blockMs, hasPermit2: extras.share > 0, random: random.stream('chain'), unlucky }, opening)
  const truths = { isTruthful: isTruthful(drawn.node), isExact: isExact(drawn.node) }
  const oracle = createOracle({ database, chain, schedule, ...truths, calmFromMs: drawn.lastsMs + CALM_MS })
  chain.onBlock(oracle.block)
  const fleet: Fleet = createFleet({
    schedule,
    random: random.stream('fleet'),
    database,
    chain,
    oracle,
    setting,
    log,
    faults: () => faults,
    isDown: () => schedule.now() < downUntil,
    onGone(instance) {
      oracle.ended()
      clients.cut(instance)
      traffic?.cut(instance)
    },
  })
  const clients: Clients = createClients({ schedule, random: random.stream('clients'), oracle, instances: fleet.up })
  for (let left = count; left > 0; left--) schedule.after(random.whole(0, 500), schedule.world, '', fleet.start)
  const mine = () => {
    chain.mine()
    schedule.after(blockMs, schedule.world, 'a block', mine)
  }
  schedule.after(blockMs, schedule.world, 'a block', mine)
  const purchases = planPurchases({ random: random.stream('purchases'), schedule, chain, oracle, clients, setting, extras })
  const selling = { schedule, chain, oracle: oracle.channels, instances: fleet.up, lastsMs: drawn.lastsMs }
  const depth = Number(setting.env.FINALITY_DEPTH)
  const traffic: Traffic | null =
    (channels && planChannels({ channels, ...selling })) ?? (managed && planManaged({ managed, database, depth, ...selling }))
  const now = (meanMs: number, what: string, act: (chance: Random) => void) =>
    repeatedly({ schedule, random: random.stream(what), meanMs, untilMs: drawn.lastsMs }, what, act)
  now(drawn.world.crash, 'an instance ends', fleet.end)
  now(drawn.world.pause, 'an instance stands still', (chance) => fleet.pause(chance.whole(500, 6_000)))
  now(drawn.world.reorg, 'a reorganisation', (chance) => chain.reorganise(chance.whole(1, depth)))
  now(drawn.world.outage, 'the database is away', (chance) => {
    downUntil = schedule.now() + chance.whole(100, 3_000)
  })
  now(drawn.world.spike, 'the base fee moves', (chance) => chain.setBaseFee(chance.pick([1n, 3n, 20n]) * 10n ** 9n))
  schedule.after(drawn.lastsMs, schedule.world, 'the faults end', () => {
    faults = CALM
    downUntil = 0
    chain.setBaseFee(10n ** 9n)
  })

  let looked = 0
  const isDone = () => {
    if (schedule.elapsed() < drawn.lastsMs + 1_000 || schedule.elapsed() < looked + 500) return false
    looked = schedule.elapsed()
    return clients.open() === 0 && clients.playing() === 0 && !traffic?.isBusy() && isQuiet(database)
  }
  while (!isDone() && schedule.elapsed() < BOUND_MS && oracle.violations.length === 0) {
    await schedule.step(startsAt + BOUND_MS)
    oracle.look()
  }
  if (oracle.violations.length > 0) return oracle
  if (schedule.elapsed() >= BOUND_MS)
    oracle.broken('I7', `not over: ${clients.open()} requests are open; ${unfinished(database, purchases)}`)
  await askForTheRest(database, schedule, clients, purchases, oracle)
  oracle.look()
  checkEnd(database, chain, oracle, purchases)
  return oracle
}

/** Longer than an unanswered request stays registered; until then retries get `settlement_pending`. */
const PLACE_MS = 10_000

/** Retries each undelivered success once, which must answer it. */
async function askForTheRest(
  database: Database,
  schedule: Schedule,
  clients: Clients,
  purchases: readonly Purchase[],
  oracle: Oracle,
) {
  const byUse = new Map(purchases.map((one) => [spentBy(one.authorization), one]))
  const untold = readLedger(database).settlements.filter((one) => isPaid(one) && !one.delivered)
  const before = oracle.successes().length
  const placesAreFree = schedule.now() + PLACE_MS
  while (untold.length > 0 && (await schedule.step(placesAreFree))) oracle.look()
  for (const one of untold) {
    const { caller, tier } = one
    const purchase = byUse.get(spentIn(one))
    const merchant = Object.values(MERCHANTS).find(
      (known) => known.caller === caller && (known.prefix === 'flash') === (tier === 'flash'),
    )
    // Of a maximum another charge may have come first.
    const variant = one.amount === String(purchase?.asked.amount) ? 'honest' : 'other amount'
    if (purchase && merchant) clients.ask({ purchase, variant, merchant, idempotencyKey: null })
  }
  const until = schedule.now() + 3_000
  while (untold.length > 0 && (await schedule.step(until))) oracle.look()
  if (oracle.successes().length !== before + untold.length)
    oracle.broken('I1', `${untold.length} successes were undelivered, and retries got ${oracle.successes().length - before}`)
}

function drawSetting(random: Random, count: number): Omit<Setting, 'channelsEveryMs'> {
  const flash = random.chance(0.4)
  const env = {
    SETTLE_DEADLINE_MS: String(random.pick([2_000, 4_000])),
    FLASH_DEADLINE_MS: '1000',
    BATCH_MAX: String(random.pick([1, 2, 4])),
    LANE_IN_FLIGHT: String(random.pick([1, 2, 8])),
    FINALITY_DEPTH: String(random.pick([2, 3])),
    LEASE_MS: String(random.pick([1_500, 3_000])),
    RECHECK_MS: String(random.pick([500, 1_000])),
    SETTLE_HORIZON_MS: String(random.pick([5_000, 600_000])),
  }
  return { exclusive: count === 1 && random.chance(0.5), flash, env }
}

/** Repeats an action while the faults last, at times from the seed. */
function repeatedly(on: Repeating, what: string, act: (random: Random) => void): void {
  const { schedule, random, meanMs, untilMs } = on
  if (meanMs === 0) return
  const pauseMs = -Math.log(1 - random.next()) * meanMs
  if (schedule.elapsed() + pauseMs >= untilMs) return
  schedule.after(pauseMs, schedule.world, what, () => {
    act(random)
    repeatedly(on, what, act)
  })
}

type Repeating = { schedule: Schedule; random: Random; meanMs: number; untilMs: number }
