// Finds, for each removed protection, the first seed that catches it (docs/simulation.md):
//   node scripts/mutations.mjs [first seed] [how many] [part of a name]
// Without a first seed, the search begins where the seeds of the recorded one's kind begin: those with Permit2, approvals, haste, upto, channels or kept channels.
import { availableParallelism } from 'node:os'
import { register } from 'tsx/esm/api'

register()
const { MUTATIONS } = await import('../test/money/simulation/mutations.ts')
const { CHANNELLESS_SEEDS, HASTELESS_SEEDS, PERMIT2_SEEDS, PLAIN_SEEDS, UNMANAGED_SEEDS, UNMETERED_SEEDS } = await import(
  '../test/money/simulation/kept.ts'
)
const { runSeeds, seedsFrom } = await import('../test/money/simulation/seeds.ts')

const [given = '', many = '300', part = ''] = process.argv.slice(2)
let missed = 0

for (const mutation of MUTATIONS.filter(({ name }) => name.includes(part))) {
  const before =
    [UNMANAGED_SEEDS, CHANNELLESS_SEEDS, UNMETERED_SEEDS, HASTELESS_SEEDS, PERMIT2_SEEDS, PLAIN_SEEDS, 0].find(
      (last) => mutation.seed > last,
    ) ?? 0
  const first = given === '' ? before + 1 : Number(given)
  const seeds = seedsFrom(first, Number(many))
  const runs = await runSeeds({ seeds, workers: availableParallelism(), mutation, untilBroken: true })
  const caught = runs.find(({ violations }) => violations.length > 0)
  if (!caught) missed++
  const found = caught ? `seed ${caught.seed} (${caught.violations[0]})` : `NOT CAUGHT by ${many} seeds from ${first}`
  console.log(`${mutation.name}: ${found}; recorded: seed ${mutation.seed}`)
}
process.exitCode = missed > 0 ? 1 : 0
