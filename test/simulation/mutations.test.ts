import { test } from 'vitest'
import { MUTATIONS } from './mutations'
import { runSeeds } from './seeds'

for (const mutation of MUTATIONS)
  test.concurrent(`the recorded seed catches: ${mutation.name}`, { timeout: 3_600_000 }, async ({ expect }) => {
    const runs = await runSeeds({ seeds: [mutation.seed], mutation })
    const hint = 'the recorded seed no longer catches it; node scripts/mutations.mjs finds another'
    expect(
      runs.flatMap(({ violations }) => violations),
      hint,
    ).not.toEqual([])
  })
