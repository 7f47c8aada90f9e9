// Runs the settlement engine under seeds (docs/simulation.md):
//   SEEDS=10000 FROM=1 npm run test:long      so many seeds from this one
//   SEED=42 npm run test:long                 one seed, with everything that happens in it
import { availableParallelism } from 'node:os'
import { register } from 'tsx/esm/api'

register()
const { runSeeds } = await import('../test/simulation/seeds.ts')

const { SEED, FROM = '1', SEEDS = '10000', WORKERS = String(availableParallelism()) } = process.env
const from = Number(SEED ?? FROM)
const count = SEED === undefined ? Number(SEEDS) : 1
const since = performance.now()
const paths = new Map()
let done = 0
let broken = 0

function tell(run) {
  done++
  for (const path of run.paths) paths.set(path, (paths.get(path) ?? 0) + 1)
  if (run.violations.length > 0) {
    broken++
    console.log(`seed ${run.seed} breaks a promise; SEED=${run.seed} npm run test:long shows how`)
    for (const violation of run.violations) console.log(`  ${violation}`)
  } else if (SEED !== undefined) console.log(`seed ${run.seed} keeps every promise; trace ${run.trace}`)
  if (done % 500 === 0) console.log(`${done} of ${count} seeds after ${seconds()} s`)
}

const seconds = () => Math.round((performance.now() - since) / 1_000)

await runSeeds({ from, count, workers: Number(WORKERS), loud: SEED !== undefined, onRun: tell })
console.log([...paths].map(([path, times]) => `${path} ${times}`).join(' · '))
console.log(`${done} seeds from ${from} in ${seconds()} s, ${broken} broken`)
process.exitCode = broken > 0 ? 1 : 0
