import type { Hex } from 'viem'
import type { Chain } from './chain'
import type { Clients } from './clients'
import type { Faults } from './faults'
import type { Setting } from './instance'
import { PLAIN_SEEDS } from './kept'
import { MERCHANTS, type Merchant } from './merchants'
import type { Oracle } from './oracle'
import { UNLIMITED } from './permit2'
import { drawPurchase, PAYERS, type Purchase, redraw, type Twist } from './purchase'
import type { Random } from './random'
import type { Schedule } from './schedule'

/** What a run has beside payments by EIP-3009. Its draws come from a stream of their own. */
export type Extras = {
  /** How many payments are by Permit2. */
  share: number
  allowances: Map<Hex, bigint>
  blockMs: number
  /** All payments come at once, so that many share a transaction. */
  crowd: boolean
  /** Blocks take nearly nothing for so long that payments end meanwhile. */
  clogged: boolean
  random: Random
}

/** Draws how much of a seed is by Permit2, what Permit2 may take of each payer, and how often blocks come. */
export function drawExtras(seed: number, random: Random): Extras {
  if (seed <= PLAIN_SEEDS) return { share: 0, allowances: new Map(), blockMs: 1_000, crowd: false, clogged: false, random }
  const share = random.pick([0.3, 0.6, 0.9])
  const most = () => random.pick([UNLIMITED, UNLIMITED, UNLIMITED, 0n, 3_000n, 8_000n])
  const allowances = new Map(PAYERS.map(({ address }) => [address, most()] as const))
  // Some chains have several blocks in a second: there a deadline has more than one last block.
  const blockMs = random.chance(0.1) ? 250 : 1_000
  const clogged = blockMs < 1_000 && random.stream('clogged').chance(0.7)
  return { share, allowances, blockMs, crowd: random.chance(0.4) && !clogged, clogged, random }
}

/** The faults of a seed with its extras. */
export function withExtras(drawn: Faults, { clogged }: Extras): Faults {
  return clogged ? { ...drawn, world: { ...drawn.world, unlucky: 0.995 }, lastsMs: 15_000 } : drawn
}

/** The settings with which a crowd shares transactions, and with which much is sent to a clogged chain. */
export function settingsFor({ crowd, clogged }: Extras): Record<string, string> {
  if (crowd) return { BATCH_MAX: '4', LANE_IN_FLIGHT: '1' }
  return clogged ? { LANE_IN_FLIGHT: '8', SETTLE_HORIZON_MS: '600000' } : {}
}

/** The payers' USDC at the start. */
export function drawBalances(random: Random, { crowd }: Extras): Map<Hex, bigint> {
  const drawn = new Map(PAYERS.map(({ address }) => [address, BigInt(random.pick([0, 3, 10, 1_000])) * 1_000n] as const))
  if (crowd) for (const [payer, balance] of drawn) drawn.set(payer, balance + 3_000n)
  return drawn
}

type Planning = {
  random: Random
  schedule: Schedule
  chain: Chain
  oracle: Oracle
  clients: Clients
  setting: Setting
  extras: Extras
}

/** Draws the payments of a run with what strangers and payers do to them, and schedules them. */
export function planPurchases({ random, schedule, chain, oracle, clients, setting, extras }: Planning): Purchase[] {
  const now = BigInt(Math.floor(schedule.now() / 1_000))
  // In bursts, so that some payments share a transaction.
  const usual: Merchant = setting.flash ? MERCHANTS.flash : random.pick([MERCHANTS.sandbox, MERCHANTS.keyed, MERCHANTS.small])
  const bursts = Array.from({ length: random.whole(1, 3) }, () => random.whole(600, 4_000))
  const purchases: Purchase[] = []
  const { share, crowd, clogged } = extras
  const ends = extras.random.stream('ends')
  const twist: Twist = {
    share,
    crowd: crowd ? (setting.flash ? MERCHANTS.flash : MERCHANTS.sandbox) : null,
    random: extras.random,
  }
  for (let at = 0, count = random.whole(2, 9) + (crowd ? 3 : 0); at < count; at++) {
    const drawn = drawPurchase(random, at, now, usual)
    if (clogged) drawn.authorization.validBefore = now + BigInt(ends.whole(8, 12))
    const purchase = share > 0 ? redraw(drawn, purchases, twist) : drawn
    purchases.push(purchase)
    oracle.knows(purchase)
    const apart = (bursts[random.whole(0, bursts.length - 1)] ?? 0) + random.whole(0, 25)
    const start = crowd ? (bursts[0] ?? 0) : apart
    schedule.after(start, schedule.world, `${purchase.name} (${purchase.flaw}) begins`, () => clients.play(purchase))
    planDeeds({ random, schedule, chain }, purchase, start)
    if (purchase.authorization.method === 'permit2')
      planDeedsOfPermit2({ random: extras.random, schedule, chain }, purchase, start)
  }
  return purchases
}

type World = Pick<Planning, 'random' | 'schedule' | 'chain'>

/** What others and the payer do to a payment within three seconds of its start. */
function planDeeds({ random, schedule, chain }: World, { authorization }: Purchase, start: number): void {
  const deed = random.next()
  const later = (what: string, act: () => void) => schedule.after(start + random.whole(0, 3_000), schedule.world, what, act)
  const hash = random.hex(32)
  const isSigned = chain.isSigned(authorization)
  if (deed < 0.08 && isSigned) later('a stranger uses it', () => chain.deed({ kind: 'use', authorization, hash }))
  else if (deed < 0.12) later('its payer cancels it', () => chain.deed({ kind: 'cancel', authorization, hash }))
  else if (deed < 0.26) {
    const { from } = authorization
    const value = 10n ** 6n
    later('its payer moves the money', () => chain.deed({ kind: 'move', from, to: AWAY, value, hash }))
    const back = random.hex(32)
    if (random.chance(0.5))
      later('its payer gets money', () => chain.deed({ kind: 'move', from: AWAY, to: from, value, hash: back }))
  }
}

/** The same for what only Permit2 has: its permit may be submitted by a stranger, and its allowance taken back. */
function planDeedsOfPermit2({ random, schedule, chain }: World, { authorization }: Purchase, start: number): void {
  const deed = random.next()
  const later = (what: string, act: () => void) => schedule.after(start + random.whole(0, 3_000), schedule.world, what, act)
  const hash = random.hex(32)
  const { from, permit } = authorization
  if (deed < 0.12 && chain.isSigned(authorization))
    later('a stranger submits it', () => chain.deed({ kind: 'use', authorization, hash }))
  else if (deed < 0.3 && permit) later('a stranger submits its permit', () => chain.deed({ kind: 'permit', authorization, hash }))
  else if (deed < 0.4) {
    later('its payer takes the allowance back', () => chain.deed({ kind: 'approve', from, value: 0n, hash }))
    const back = random.hex(32)
    if (random.chance(0.5))
      later('its payer allows again', () => chain.deed({ kind: 'approve', from, value: UNLIMITED, hash: back }))
  }
}

const AWAY: Hex = `0x${'c3'.repeat(20)}`
