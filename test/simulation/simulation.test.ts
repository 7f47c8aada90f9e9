import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { KEPT_SEEDS, PATH_SEEDS } from './kept'
import type { Run } from './run'
import { runSeeds, seedsFrom } from './seeds'

const FRESH = 200
const LONG_MS = 3_600_000

/** Every state and event of a settlement; a simulation proves nothing about one that it never reaches. */
const PATHS = [
  ...[
    'CLAIMED',
    'PREPARED',
    'BROADCAST',
    'PRECONFIRMED',
    'INCLUDED',
    'FINAL',
    'REJECTED',
    'REVERTED',
    'USED_ELSEWHERE',
    'EXPIRED',
    'UNPAID',
  ],
  ...['REVERSED', 'pay', 'batch', 'noop', 'replaced', 'returned', 'undone'],
  // Those by Permit2; twins are equal payments that both landed.
  ...['FINAL', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'REVERSED', 'batch', 'returned', 'twins'].map(
    (path) => `permit2 ${path}`,
  ),
  // Those with an approval that its payer sent along: ether was sent for it, it was mined, the payment landed after it; its nonce was used
  // otherwise, and that was counted; a process ended between the ether and the approval.
  ...['fund', ...['mined', 'FINAL', 'displaced', 'unapproved', 'crash'].map((path) => `approval ${path}`)],
]

const broken = (runs: readonly Run[]) =>
  runs.filter(({ violations }) => violations.length > 0).map(({ seed, violations }) => ({ seed, violations }))

test(`${FRESH} fresh seeds and all kept seeds break no invariant and together reach every path`, {
  timeout: LONG_MS,
}, async () => {
  const base = randomInt(1, 1_000_000_000)
  console.log(`fresh seeds from ${base}; to repeat them: node scripts/simulate.mjs ${base} ${FRESH}`)
  const kept = [...KEPT_SEEDS.map(({ seed }) => seed), ...PATH_SEEDS]
  const seeds = [...kept, ...seedsFrom(base, FRESH)]
  const runs = await runSeeds({ seeds })
  expect(runs).toHaveLength(seeds.length)
  // node scripts/simulate.mjs <seed> prints every event.
  expect(broken(runs), `fresh seeds from ${base}`).toEqual([])
  const reached = new Set(runs.flatMap(({ paths }) => paths))
  expect(PATHS.filter((path) => !reached.has(path))).toEqual([])
})

test('the same seed gives the same run in every process', { timeout: LONG_MS }, async () => {
  const seeds = [...seedsFrom(3, 2), ...seedsFrom(3_003, 1), ...seedsFrom(6_005, 1)]
  const [first, second] = [
    await runSeeds({ seeds, workers: 1, keepLines: true }),
    await runSeeds({ seeds, workers: 2, keepLines: true }),
  ]
  for (const [at, run] of first.entries()) expect(parting(run.lines, second[at]?.lines ?? [])).toEqual([])
  expect(first.map(({ trace }) => trace)).toEqual(second.map(({ trace }) => trace))
  expect(new Set(first.map(({ trace }) => trace)).size).toBe(4)
})

/** The last common event of two runs and the next of each; empty where they are the same. */
function parting(one: readonly string[], other: readonly string[]): string[] {
  const at = one.findIndex((line, index) => line !== other[index])
  if (at < 0) return one.length === other.length ? [] : [`one run ends after ${one.at(-1)}`]
  return [one[at - 1] ?? 'the start', one[at] ?? 'the end', other[at] ?? 'the end']
}
