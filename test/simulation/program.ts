import { openDatabase } from './database'
import { runSeed } from './run'
import { installTime, machineNow } from './time'

const [from = '1', count = '1', loud = ''] = process.argv.slice(2)
const database = await openDatabase()
installTime()
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  const before = machineNow()
  const statements = database.statements()
  const cpu = process.cpuUsage()
  const run = await runSeed(seed, database, loud ? { print: console.log } : {})
  console.log(
    JSON.stringify(run),
    (machineNow() - before).toFixed(0),
    'ms',
    Math.round(process.cpuUsage(cpu).user / 1000),
    'cpu',
    database.statements() - statements,
    'statements',
  )
}
process.exit(0)
