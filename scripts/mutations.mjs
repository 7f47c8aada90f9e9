// Finds, for each removed protection, the first seed that catches it (docs/simulation.md):
//   node scripts/mutations.mjs [first seed] [how many]
import { availableParallelism } from 'node:os'
import { register } from 'tsx/esm/api'

register()
const { MUTATIONS } = await import('../test/simulation/mutations.ts')
const { runSeeds, seedsFrom } = await import('../test/simulation/seeds.ts')

const [first = '1', many = '300'] = process.argv.slice(2)
const seeds = seedsFrom(Number(first), Number(many))
let missed = 0

for (const mutation of MUTATIONS) {
  const runs = await runSeeds({ seeds, workers: availableParallelism(), mutation, untilBroken: true })
  const caught = runs.find(({ violations }) => violations.length > 0)
  if (!caught) missed++
  const found = caught ? `seed ${caught.seed} (${caught.violations[0]})` : `NOT CAUGHT by ${many} seeds from ${first}`
  console.log(`${mutation.name}: ${found}; recorded: seed ${mutation.seed}`)
}
process.exitCode = missed > 0 ? 1 : 0
