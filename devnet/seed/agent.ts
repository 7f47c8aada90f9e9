import { keccak256, toBytes } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../server/base/durations'
import { storedAddress } from '../../server/x402/addresses'
import { BASE, type SeededRow, settleMs } from './history'
import { createRandom, hex, timeOfDay, transaction, weekday } from './random'

// Public and the same in every demo: it holds test money on a local chain alone, and --unseed finds it.
const key = keccak256(toBytes('sample agent of the demo'))

/** The agent of the sample history. Its wallet signs in at the demo. The ids are fixed, so that --unseed removes exactly its rows. */
export const SEEDED_AGENT = {
  key,
  wallet: storedAddress(privateKeyToAddress(key)),
  tenantId: '00000000-0000-4000-8000-00000000d004',
  keyId: '00000000-0000-4000-8000-00000000d0a1',
} as const

/** A purchase of credits: its id is that of its settlement. */
export type SeededPurchase = { id: string; createdAt: Date; credits: number; txHash: string; payTo: string }

/** What an agent did: it bought credits, and its key used them. Oldest first. */
export type AgentHistory = { rows: SeededRow[]; purchases: SeededPurchase[] }

const DAYS = 40
/** Together 1,200 credits, of which 96 are left: below a tenth, where the screen warns. */
const USES = 1_104
/** Each buys 400 credits, before the use of this number. The agent never runs out in between. */
const BOUGHT_BEFORE = [0, 340, 745]
const CREDITS = 400
/** Of so many payments one is refused when it is verified, which costs no credit. */
const REFUSED_EVERY = 29
/** Of so many uses one fails on the chain, which costs its credit. */
const FAILED_EVERY = 97

/** Plausible purchases and uses of an agent's credits in the last 40 days, the same for the same time. */
export function agentHistory(now: Date): AgentHistory {
  const random = createRandom(403)
  const payers = Array.from({ length: 9 }, (_, at) => [1 / (at + 1), hex(random, 20)] as const)
  const payTo = hex(random, 20)
  const row = (createdAt: Date): Omit<SeededRow, 'success' | 'txHash' | 'errorReason' | 'settleMs'> => ({
    tenantId: SEEDED_AGENT.tenantId,
    plan: 'agent',
    tier: 'standard',
    network: BASE,
    amount: '5000',
    createdAt,
    resource: 'https://answers.demo.example/ask',
    payer: random.pick(payers),
    payTo: SEEDED_AGENT.wallet,
  })
  const uses = timesOf(now, USES, random).map((createdAt, at): SeededRow => {
    const success = (at + 1) % FAILED_EVERY !== 0
    const ended = success
      ? { success, txHash: transaction(random, 'evm'), errorReason: null }
      : { success, txHash: '', errorReason: 'authorization_used_elsewhere' }
    return { ...row(createdAt), ...ended, settleMs: settleMs('evm', 'standard', at) }
  })
  const refused = uses
    .filter((_, at) => at % REFUSED_EVERY === 0)
    .map(({ createdAt }): SeededRow => {
      const failed = { success: false, txHash: '', errorReason: 'insufficient_funds', settleMs: null }
      return { ...row(new Date(createdAt.getTime() - MINUTE_MS)), ...failed }
    })
  const rows = [...uses, ...refused].toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  const purchases = BOUGHT_BEFORE.map((use, at) => ({
    id: `00000000-0000-4000-8000-00000000d0b${at}`,
    createdAt: new Date((uses[use]?.createdAt ?? now).getTime() - HOUR_MS),
    credits: CREDITS,
    txHash: transaction(random, 'evm'),
    payTo,
  }))
  return { rows, purchases }
}

/** Whether a payment of the agent's key cost a credit: all that were sent. */
export const costCredit = ({ settleMs }: Pick<SeededRow, 'settleMs'>): boolean => settleMs !== null

/** So many times of the last 40 days, oldest first: more on weekdays and lately. */
function timesOf(now: Date, count: number, random: ReturnType<typeof createRandom>): Date[] {
  const days = Array.from({ length: DAYS }, (_, day) => {
    const start = now.getTime() - (DAYS - day) * DAY_MS
    return { start, weight: (0.5 + day / DAYS) * weekday(start) }
  })
  const weights = days.map(({ start, weight }) => [weight, start] as const)
  const latest = now.getTime() - 2 * MINUTE_MS
  const times: number[] = []
  while (times.length < count) {
    const start = random.pick(weights)
    const time = start + timeOfDay(random, start)
    if (time < latest) times.push(time)
  }
  return times.toSorted((one, other) => one - other).map((time) => new Date(time))
}
