import { beforeAll, expect, test } from 'vitest'
import { MUTATIONS } from './mutations'
import { runMutations } from './seeds'

let runs: Awaited<ReturnType<typeof runMutations>>
// It has no deadline of its own: in `npm test` it gets the CPU time that other tests leave.
beforeAll(async () => {
  runs = await runMutations(MUTATIONS)
}, 3_600_000)

test.each(MUTATIONS.map(({ name }, at) => [name, at] as const))('the recorded seed catches: %s', (_, at) => {
  const hint = 'the recorded seed no longer catches it; node scripts/mutations.mjs finds another'
  expect(runs[at]?.mutated.violations, hint).not.toEqual([])
  expect(runs[at]?.original.violations, 'the seed breaks an invariant without the mutation too').toEqual([])
})
