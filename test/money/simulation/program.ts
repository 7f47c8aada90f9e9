// Runs seeds and reports each to its parent. seeds.ts starts it as a separate process, because it replaces the clock.
import { createLog } from '../../../server/base/log'
import { openDatabase } from './database'
import { runSeed } from './run'
import { installTime, withoutTimersAfter } from './time'

export type Job = {
  seeds: readonly number[]
  schema: readonly string[]
  loud: boolean
  /** Bundles of `run.ts` with a mutation. Each runs its seed here, and then the original does. */
  mutants: readonly { run: string; seed: number }[]
}

const { seeds, schema, loud, mutants }: Job = JSON.parse(process.argv[2] ?? '{}')
/** A short seed. It loads the modules that the service imports when it first needs them; its result is not reported. */
const WARM_UP = 3002
const database = await withoutTimersAfter(() => openDatabase(schema))
installTime()
let seed = 0
process.on('unhandledRejection', (error) => {
  console.error(`seed ${seed}: unhandled rejection`, error)
  process.exit(1)
})
// Loading takes real time, which no schedule controls.
await runSeed(WARM_UP, database)
for (const next of seeds) {
  seed = next
  const printing = loud ? { print: (line: string) => console.log(line), log: createLog('info') } : {}
  process.send?.(await runSeed(seed, database, printing))
}
for (const mutant of mutants) {
  seed = mutant.seed
  const mutated: { runSeed: typeof runSeed } = await import(mutant.run)
  await mutated.runSeed(WARM_UP, database)
  for (const run of [mutated.runSeed, runSeed]) process.send?.(await run(seed, database))
}
process.exit(0)
