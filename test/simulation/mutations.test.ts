import { expect, test } from 'vitest'
import { MUTATIONS } from './mutations'
import { runSeeds } from './seeds'

/** So many seeds may pass before the engine without one of its protections is caught. */
const SEEDS = 300

for (const mutation of MUTATIONS)
  test(`is caught: ${mutation.name}`, { timeout: 3_600_000 }, async () => {
    const runs = await runSeeds({ from: 1, count: SEEDS, mutation, untilBroken: true })
    expect(runs.flatMap(({ violations }) => violations)).not.toEqual([])
  })
