import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { build } from './build.mjs'
import { endTogether, startChild } from './children.mjs'
import {
  ensureChromium,
  ensureLegacyClients,
  ensurePostgres,
  ensurePython,
  ensurePythonClients,
  ensureRedis,
} from './install.mjs'
import { emptyLogs } from './secrets.mjs'
import { root } from './steps.mjs'

// What takes hours (docs/testing.md): `npm run test:long -- [parts]`. SEEDS, FUZZ_RUNS, KILL_RUNS, FAULT_SECONDS and SOAK_MINUTES say how
// long each part takes.
const { SEEDS = '20000', FUZZ_RUNS = '50', KILL_RUNS = '20', FAULT_SECONDS = '300', SOAK_MINUTES = '20' } = process.env
const vitest = join(root, 'node_modules', '.bin', 'vitest')
const playwright = join(root, 'node_modules', '.bin', 'playwright')
const journeys = ['test', '--config', join(root, 'e2e', 'playwright.config.ts')]
const tests = (...filters) => [vitest, ['run', '--config', 'vitest.long.config.ts', ...filters]]
const node = (...args) => [process.execPath, args]

/** Files with a test of the embedded database that only long runs have. */
const EMBEDDED = ['discovery/entry-queries', 'history/queries', 'statements/units', 'devnet/seed/seed']

/** Suites for long runs that have a part of their own. */
const OTHER_PARTS = [
  '**/*.fuzz.*',
  'server/analytics/**',
  'test/money/faults/**',
  'test/interop/python*',
  'packages/python/**',
].map((glob) => `--exclude=${glob}`)

/** Every part with what it is, and the runs it is made of. */
const PARTS = {
  // Fresh seeds are of the newest generation, which draws more than the one before (test/money/simulation/kept.ts).
  simulation: [
    `the settlement engine under ${SEEDS} schedules of faults`,
    [node('scripts/simulate.mjs', String(randomInt(1_000_000, 1_000_000_000)), SEEDS)],
  ],
  mutations: ['seeds that catch the engine without each of its protections', [node('scripts/mutations.mjs')]],
  fuzz: [
    `parsers, judges, the service and analytics, ${2 * Number(FUZZ_RUNS)} times the inputs of npm test`,
    [tests('.fuzz.', '.property.', 'payments/fuzz', 'server/analytics/')],
  ],
  kills: [
    `kill -9 at every moment and under load, ${KILL_RUNS} times`,
    Array.from({ length: Number(KILL_RUNS) }, () => tests('kill', 'server/db/embedded', 'starvation')),
  ],
  faults: ['nodes and facilitators that fail or lie, each variant', [tests('ledger/faults', 'svm/faults', 'remote/remotes')]],
  embedded: ['features on the embedded database', [tests(...EMBEDDED)]],
  programs: [
    'the programs of docs and demo, the cost of reads, and every suite for long runs of no other part',
    [tests('.long.', ...OTHER_PARTS)],
  ],
  python: [
    'the official server and client in Python, our package for it, and a generated client',
    [tests('interop/python', 'packages/python')],
  ],
  screens: ['journeys through every page', [[playwright, journeys]]],
  matrix: [`each fault for ${FAULT_SECONDS} s under traffic`, [tests('test/money/faults/')]],
  soak: [`steady traffic for ${SOAK_MINUTES} min`, [node('--import', 'tsx', 'bench/soak.ts', SOAK_MINUTES)]],
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}

endTogether()
await bootstrap()
await ensurePostgres()
await ensureRedis()
await ensurePython()
await ensureLegacyClients()
const includes = (name) => asked.length === 0 || asked.includes(name)
if (includes('python')) await ensurePythonClients()
if (includes('screens')) {
  await ensureChromium()
  await build()
}
emptyLogs()
const failed = []
for (const [name, [what, runs]] of Object.entries(PARTS)) {
  if (!includes(name)) continue
  for (const [at, [command, args]] of runs.entries()) {
    console.log(`\n${name}: ${what}${runs.length > 1 ? `, run ${at + 1} of ${runs.length}` : ''}`)
    const code = await run(command, args)
    if (code !== 0) failed.push(runs.length > 1 ? `${name}, run ${at + 1}` : name)
  }
}
console.log(failed.length === 0 ? '\nAll held.' : `\nFAILED: ${failed.join('; ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function run(command, args) {
  const env = { ...process.env, LONG_RUN: '1', FUZZ_RUNS, FAULT_SECONDS, CHECKPOINT_DISABLE: '1', NEXT_TELEMETRY_DISABLED: '1' }
  const child = startChild(command, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve(console.error(cause.message) ?? 1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}
