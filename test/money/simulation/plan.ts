import type { Hex } from 'viem'
import { APPROVAL_MAX, drawApproval, drawEther, takingOf } from './approval'
import type { Chain } from './chain'
import type { Clients } from './clients'
import type { Faults } from './faults'
import { type Haste, planOvertaking, shortEnd } from './haste'
import type { Setting } from './instance'
import { PERMIT2_SEEDS, PLAIN_SEEDS } from './kept'
import { MERCHANTS, type Merchant } from './merchants'
import { type Metering, metered } from './metering'
import type { Oracle } from './oracle'
import { AWAY, PAYERS } from './payers'
import { UNLIMITED } from './permit2'
import { drawPurchase, type Purchase, redraw, type Twist } from './purchase'
import type { Random } from './random'
import type { Schedule } from './schedule'
import { readTransaction } from './transaction'

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
  approvals: Approvals | null
  haste: Haste | null
  metering: Metering | null
}

/** The payments by Permit2 with which payers send their own approvals along. These draws come from one more stream. */
type Approvals = { share: number; ether: Map<Hex, bigint>; deadlineMs: number; random: Random }

/** Draws which approvals a seed has: every other seed has some, and then most payers have no allowance and no ether. */
export function drawApprovals(seed: number, random: Random): Approvals | null {
  if (seed <= PERMIT2_SEEDS || random.chance(0.5)) return null
  const ether = new Map(PAYERS.map(({ address }) => [address, drawEther(random)] as const))
  return { share: random.pick([0.6, 0.9]), ether, deadlineMs: random.pick([2_000, 6_000, 10_000]), random }
}

/** Draws how much of a seed is by Permit2, what Permit2 may take of each payer, and how often blocks come. */
export function drawExtras(
  seed: number,
  random: Random,
  approvals: Approvals | null,
  haste: Haste | null,
): Omit<Extras, 'metering'> {
  const none = { share: 0, allowances: new Map(), blockMs: 1_000, crowd: false, clogged: false }
  if (seed <= PLAIN_SEEDS) return { ...none, random, approvals, haste }
  const drawn = random.pick([0.3, 0.6, 0.9])
  const share = approvals ? 0.9 : drawn
  const most = () => random.pick([UNLIMITED, UNLIMITED, UNLIMITED, 0n, 3_000n, 8_000n])
  const allowances = new Map(PAYERS.map(({ address }) => [address, most()] as const))
  // Some chains have several blocks in a second: there a deadline has more than one last block.
  const blockMs = random.chance(0.1) ? 250 : 1_000
  const clogged = blockMs < 1_000 && random.stream('clogged').chance(0.7)
  for (const payer of approvals ? allowances.keys() : []) if (approvals?.random.chance(0.9)) allowances.set(payer, 0n)
  return { share, allowances, blockMs, crowd: random.chance(0.4) && !clogged, clogged, random, approvals, haste }
}

/** The faults of a seed with its extras. */
export function withExtras(drawn: Faults, { clogged }: Extras): Faults {
  return clogged ? { ...drawn, world: { ...drawn.world, unlucky: 0.995 }, lastsMs: 15_000 } : drawn
}

/** The settings with which a crowd shares transactions, much is sent to a clogged chain, and approvals are sent. */
export function settingsFor({ crowd, clogged, approvals }: Extras): Record<string, string> {
  const sponsoring = { SPONSORED_APPROVAL_MAX: APPROVAL_MAX.coins, SETTLE_DEADLINE_MS: String(approvals?.deadlineMs) }
  return {
    ...(crowd ? { BATCH_MAX: '4', LANE_IN_FLIGHT: '1' } : {}),
    ...(clogged ? { LANE_IN_FLIGHT: '8', SETTLE_HORIZON_MS: '600000' } : {}),
    ...(approvals ? sponsoring : {}),
  }
}

/** The payers' USDC at the start. */
export function drawBalances(random: Random, { crowd }: Pick<Extras, 'crowd'>): Map<Hex, bigint> {
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
  const { share, crowd, clogged, approvals, haste, metering } = extras
  const ends = extras.random.stream('ends')
  const twist: Twist = {
    share,
    crowd: crowd ? (setting.flash ? MERCHANTS.flash : MERCHANTS.sandbox) : null,
    random: extras.random,
  }
  for (let at = 0, count = random.whole(2, 9) + (crowd ? 3 : 0); at < count; at++) {
    const drawn = drawPurchase(random, at, now, usual)
    if (clogged) drawn.authorization.validBefore = now + BigInt(ends.whole(8, 12))
    const apart = (bursts[random.whole(0, bursts.length - 1)] ?? 0) + random.whole(0, 25)
    const start = crowd ? (bursts[0] ?? 0) : apart
    const short = haste && drawn.flaw !== 'late' ? shortEnd(haste, BigInt(Math.floor((schedule.now() + start) / 1_000))) : null
    if (short) drawn.authorization.validBefore = short
    const redrawn = share > 0 ? redraw(drawn, purchases, twist) : drawn
    const approved = approvals ? withApproval(redrawn, purchases, approvals) : redrawn
    const purchase = metering ? metered(approved, purchases, metering) : approved
    purchases.push(purchase)
    oracle.knows(purchase)
    schedule.after(start, schedule.world, `${purchase.name} (${purchase.flaw}) begins`, () => clients.play(purchase))
    planDeeds({ random, schedule, chain }, purchase, start)
    if (purchase.authorization.method !== 'eip3009')
      planDeedsOfPermit2({ random: extras.random, schedule, chain }, purchase, start)
    if (haste) planOvertaking(haste, chain, schedule, purchase)
    if (approvals && purchase.approval) planTaking({ random: approvals.random, schedule, chain }, purchase, start)
  }
  return purchases
}

/** The purchase with an approval of its payer, or as it is. Some such payments only fail in a simulation after it. */
function withApproval(drawn: Purchase, before: readonly Purchase[], { share, random }: Approvals): Purchase {
  const { authorization, flaw } = drawn
  if (authorization.method !== 'permit2' || !random.chance(share)) return drawn
  const earlier = before.filter((one) => one.authorization.from === authorization.from).flatMap(({ approval }) => approval ?? [])
  const approval = drawApproval(authorization, earlier, random)
  const refused = flaw === 'none' && random.chance(0.1)
  return { ...drawn, flaw: refused ? 'refused' : flaw, approval, authorization: { ...authorization, permit: null } }
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

/** What others and the payer do to a payment by Permit2 alone: its permit may be submitted by a stranger, and its allowance taken back. */
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

/** Some payers use the nonce of their approval otherwise, as soon as they have ether. */
function planTaking({ random, schedule, chain }: World, { authorization, approval }: Purchase, start: number): void {
  const drawn = random.next()
  const from = authorization.from
  if (!approval || drawn > 0.25) return
  const taking = drawn < 0.15 ? 'moves its ether away' : 'uses the nonce'
  let left = 2
  chain.onBlock(({ state }) => {
    const raw = takingOf(taking, from, approval.nonce, state.ether.get(from) ?? 0n)
    if (left === 0 || !raw || schedule.elapsed() < start) return
    left--
    schedule.after(
      random.whole(0, 400),
      schedule.world,
      `${from.slice(0, 8)} ${taking}`,
      () => void chain.take(readTransaction(raw)),
    )
  })
}
