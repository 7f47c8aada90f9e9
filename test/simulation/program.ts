// Runs seeds and tells its parent what became of each: started by seeds.ts, in a process of its own because it takes the clock over.
import { createLog } from '../../server/log'
import { openDatabase } from './database'
import { runSeed } from './run'
import { installTime, machineNow } from './time'

export type Job = { seeds: readonly number[]; schema: readonly string[]; loud: boolean }

const { seeds, schema, loud }: Job = JSON.parse(process.argv[2] ?? '{}')
/** Seeds that together reach every path; what they do is not reported. */
const WARM_UP = [13, 67]
const database = await openDatabase(schema)
installTime()
let seed = 0
process.on('unhandledRejection', (error) => {
  console.error(`seed ${seed}: nobody waited for what failed`, error)
  process.exit(1)
})
// The first runs of a process load what the service imports on first use. Loading takes real time, which no schedule controls.
for (const warmUp of WARM_UP) await runSeed(warmUp, database)
for (const next of seeds) {
  seed = next
  const before = machineNow()
  const printing = loud ? { print: (line: string) => console.log(line), log: createLog('info') } : {}
  const run = await runSeed(seed, database, printing)
  process.send?.({ ...run, tookMs: Math.round(machineNow() - before) })
}
process.exit(0)
