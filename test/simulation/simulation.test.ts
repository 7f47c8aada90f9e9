import { expect, test } from 'vitest'
import { KEPT_SEEDS } from './kept'
import type { Run } from './run'
import { runSeeds } from './seeds'

const SEEDS = 600
const LONG_MS = 3_600_000

/** Everything that a settlement or a slot can go through: a simulation that never gets there shows nothing of it. */
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
]

const broken = (runs: readonly Run[]) =>
  runs.filter(({ violations }) => violations.length > 0).map(({ seed, violations }) => ({ seed, violations }))

test(
  `the engine keeps every promise under ${SEEDS} seeds of faults, and these go everywhere that a settlement can`,
  async () => {
    const runs = await runSeeds({ from: 1, count: SEEDS })
    expect(runs).toHaveLength(SEEDS)
    // node scripts/simulate.mjs <seed> shows what happened.
    expect(broken(runs)).toEqual([])
    const reached = new Set(runs.flatMap(({ paths }) => paths))
    expect(PATHS.filter((path) => !reached.has(path))).toEqual([])
  },
  LONG_MS,
)

test('seeds that once broke a promise keep it', { timeout: LONG_MS }, async () => {
  for (const { seed, why } of KEPT_SEEDS) expect(broken(await runSeeds({ from: seed, count: 1 })), why).toEqual([])
})

test('the same seed is the same run, also in another process', { timeout: LONG_MS }, async () => {
  const [first, second] = [await runSeeds({ from: 3, count: 4, workers: 1 }), await runSeeds({ from: 3, count: 4, workers: 2 })]
  expect(first.map(({ trace }) => trace)).toEqual(second.map(({ trace }) => trace))
  expect(new Set(first.map(({ trace }) => trace)).size).toBe(4)
})
