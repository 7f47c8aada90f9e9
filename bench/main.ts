// Our service beside the official facilitator and any other, on one local chain; bench/README.md describes the options.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadAdapters } from './adapter'
import { readOptions } from './options'
import { drawPicture, type Series } from './picture'
import { type Result, runScenario } from './scenario'
import { median, reportOf, titleOf } from './tables'

const BUILT_IN = ['ours', 'official'].map((name) => path.join(import.meta.dirname, 'adapters', `${name}.ts`))

const { scenarios, adapters: further, out } = optionsOrExit()
const adapters = await loadAdapters([...BUILT_IN, ...further])
const results: Result[] = []
for (const [at, scenario] of scenarios.entries()) {
  const name = `run ${at + 1} of ${scenarios.length}, ${scenario.shape}, ${titleOf(scenario)}`
  const result = await runScenario(scenario, adapters, (line) => console.error(`${name}: ${line}`))
  results.push(result)
  console.log(`${reportOf(result)}\n`)
}
if (out !== undefined) await writeResults(out)
process.exit()

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

/** Writes all figures, and the picture of the first run of the users' shape, or else of the first run. */
async function writeResults(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'results.json'), `${JSON.stringify({ node: process.versions.node, results }, null, 2)}\n`)
  const drawn = results.find(({ scenario }) => scenario.shape === 'users') ?? results[0]
  if (drawn) await writeFile(path.join(folder, 'benchmarks.svg'), drawPicture(titleOf(drawn.scenario), seriesOf(drawn)))
}

/** The settles of the later rounds: medians of each facilitator's rows. */
function seriesOf({ rows }: Result): Series[] {
  const settles = rows.filter(({ route, round }) => route === 'settle' && round > 0)
  const unique = <T>(values: T[]) => [...new Set(values)]
  // The first round has the order of the adapters.
  return unique(rows.map(({ facilitator }) => facilitator)).map((name) => ({
    name,
    points: unique(settles.map(({ parallel }) => parallel)).flatMap((parallel) => {
      const same = settles.filter((row) => row.facilitator === name && row.parallel === parallel && row.good > 0)
      const [perSecond, p95] = [median(same.map((row) => row.perSecond)), median(same.map((row) => row.p95))]
      return perSecond === undefined || p95 === undefined ? [] : [{ parallel, perSecond, p95 }]
    }),
  }))
}
