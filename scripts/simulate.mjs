// Runs the settlement engine under seeds (docs/simulation.md):
//   node scripts/simulate.mjs 1 10000   this many seeds from the first
//   node scripts/simulate.mjs 42        one seed, with every event
import { availableParallelism } from 'node:os'
import { register } from 'tsx/esm/api'

register()
const { runSeeds, seedsFrom } = await import('../test/money/simulation/seeds.ts')

const [first = '1', many] = process.argv.slice(2)
const from = Number(first)
const loud = many === undefined
const count = Number(many ?? 1)
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count) || count < 1) {
  console.error('node scripts/simulate.mjs <first seed> [how many]')
  process.exit(1)
}
const since = performance.now()
const paths = new Map()
let done = 0
let broken = 0

function tell(run) {
  done++
  for (const path of run.paths) paths.set(path, (paths.get(path) ?? 0) + 1)
  if (run.violations.length > 0) {
    broken++
    console.log(`seed ${run.seed} breaks an invariant; node scripts/simulate.mjs ${run.seed} shows how`)
    for (const violation of run.violations) console.log(`  ${violation}`)
  } else if (loud) console.log(`seed ${run.seed} keeps every invariant; trace ${run.trace}`)
  if (done % 500 === 0) console.log(`${done} of ${count} seeds after ${seconds()} s`)
}

const seconds = () => Math.round((performance.now() - since) / 1_000)

await runSeeds({ seeds: seedsFrom(from, count), workers: availableParallelism(), loud, onRun: tell })
console.log([...paths].map(([path, times]) => `${path} ${times}`).join(' · '))
console.log(`${done} seeds from ${from} in ${seconds()} s, ${broken} broken`)
process.exitCode = broken > 0 ? 1 : 0
