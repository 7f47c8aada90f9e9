import { randomInt } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { KEPT_SEEDS, PATH_SEEDS } from './kept'
import type { Run } from './run'
import { runSeeds, seedsFrom } from './seeds'

const FRESH = Number(process.env.SEEDS ?? 200)
const LONG_MS = 3_600_000
/** Seeds of each generation that run twice. */
const AGAIN = [13, 3_004, 3_009, 6_052, 9_112, 20_081, 30_010]

const base = randomInt(1, 1_000_000_000)
const kept = [...KEPT_SEEDS.map(({ seed }) => seed), ...PATH_SEEDS]
const seeds = [...kept, ...seedsFrom(base, FRESH)]
let runs: Run[] = []
beforeAll(async () => {
  console.log(`fresh seeds from ${base}; to repeat them: node scripts/simulate.mjs ${base} ${FRESH}`)
  runs = await runSeeds({ seeds })
}, LONG_MS)

/**
 * The states and events of a settlement; a simulation proves nothing about one that it never reaches. REVERTED needs a token that lies, which
 * the simulation has not.
 */
const PATHS = [
  'CLAIMED',
  'PREPARED',
  'BROADCAST',
  'PRECONFIRMED',
  'INCLUDED',
  'FINAL',
  'REJECTED',
  'USED_ELSEWHERE',
  'EXPIRED',
  'UNPAID',
  'REVERSED',
  'pay',
  'batch',
  'noop',
  'replaced',
  'returned',
  'undone',
  'unpaid from its slot',
  // Those by Permit2; twins are equal payments that both landed.
  ...['FINAL', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED', 'batch', 'returned', 'twins'].map((path) => `permit2 ${path}`),
  // Those by upto: a part is charged, or nothing.
  'UNCHARGED',
  ...['part', 'FINAL', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED'].map((path) => `upto ${path}`),
  // Deposits and claims of channels.
  ...['deposit FINAL', 'claim FINAL'].map((path) => `channel ${path}`),
  // Those with an approval that its payer sent along: ether was sent for it, it was mined, the payment landed after it; its nonce was used
  // otherwise, and that was counted; a process ended between the ether and the approval.
  'fund',
  ...['mined', 'FINAL', 'displaced', 'unapproved', 'crash'].map((path) => `approval ${path}`),
]

const broken = (runs: readonly Run[]) =>
  runs.filter(({ violations }) => violations.length > 0).map(({ seed, violations }) => ({ seed, violations }))

test(`${FRESH} fresh seeds and all kept seeds break no invariant, and the kept ones together reach every path`, () => {
  expect(runs).toHaveLength(seeds.length)
  // node scripts/simulate.mjs <seed> prints every event.
  expect(broken(runs), `fresh seeds from ${base}`).toEqual([])
  // Fresh seeds reach rare paths by chance.
  const reached = new Set(runs.filter(({ seed }) => kept.includes(seed)).flatMap(({ paths }) => paths))
  expect(PATHS.filter((path) => !reached.has(path))).toEqual([])
})

test('the same seed gives the same run in another process', { timeout: LONG_MS }, async () => {
  const first = runs.filter(({ seed }) => AGAIN.includes(seed))
  const second = await runSeeds({ seeds: first.map(({ seed }) => seed), workers: 1 })
  // node scripts/simulate.mjs <seed>, twice, prints where the events part.
  expect(second.map(({ seed, trace }) => [seed, trace])).toEqual(first.map(({ seed, trace }) => [seed, trace]))
  expect(new Set(first.map(({ trace }) => trace)).size).toBe(AGAIN.length)
})
