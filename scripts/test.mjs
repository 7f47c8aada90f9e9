import { mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { audit } from './audit.mjs'
import { bootstrap } from './bootstrap.mjs'
import { build } from './build.mjs'
import { LANES, runChecks } from './checks.mjs'
import { endTogether, startChild } from './children.mjs'
import {
  ensureChromium,
  ensureImageNode,
  ensureLegacyClients,
  ensurePostgres,
  ensurePython,
  ensureRedis,
  IMAGE_NODE,
} from './install.mjs'
import { playwrightResult, vitestResult } from './reports.mjs'
import { emptyLogs, findSecrets } from './secrets.mjs'
import { contentOf, root } from './steps.mjs'

/** @typedef {import('./reports.mjs').Result} Result */

// Everything a change must pass, on a fresh clone too (docs/testing.md): style, types, tests, journeys through the pages, no secret in
// their logs, and no known grave flaw in a package that production runs. The last line is the sum.
const REPORTS = join(root, 'test-results')
/** What runs again on the Node of the image: kills at each moment, the auditor, schedules of faults. */
const MONEY = [
  'server/ledger/kill.process.test.ts',
  'server/ledger/svm/kill.process.test.ts',
  'test/money/auditor/auditor.process.test.ts',
  'test/money/simulation/simulation.process.test.ts',
]
const filters = process.argv.slice(2)
const whole = filters.length === 0
const bin = (name) => join(root, 'node_modules', '.bin', name)

// A busy machine may miss a deadline, so a failed test runs once more. A generated case that failed does not: the second run has others.
const ONCE_MORE = ['--retry.count=1', '--retry.condition=^(?!Property failed)']

endTogether()
try {
  await bootstrap()
  await ensurePostgres()
  await ensureRedis()
  await ensurePython()
  await ensureLegacyClients()
  if (whole) await ensureChromium()
  emptyLogs()
  conclude(whole ? await everything() : [await runChecks(LANES), await vitest('tests', filters), secrets()])
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  conclude([{ passed: 0, failed: ['the set-up'], unstable: [] }])
}

/**
 * The checks and the build of the pages come first: beside them, service tests that start together would miss deadlines. Service tests wait
 * for blocks and processes a third of their time, so the simulation runs meanwhile; journeys wait for pages, so pure tests and audit do.
 * @returns {Promise<Result[]>}
 */
async function everything() {
  const [types = [], rest = []] = LANES
  const [pages, ...checks] = await Promise.all([builtPages(), runChecks([[...rest, ...types]])])
  console.log('\nTests')
  const tests = await Promise.all([
    vitest('tests', [...projects('process', 'chain', 'db'), ...ONCE_MORE]),
    vitest('simulation', [...projects('simulation'), '--maxWorkers=1'], 'dot'),
  ])
  const later = [journeys(pages), vitest('pure', [...projects('pure'), '--maxWorkers=2', ...ONCE_MORE], 'dot'), packages()]
  return [pages, ...checks, ...tests, ...(await Promise.all(later)), await money(), secrets()]
}

/** The options that choose these projects of vitest.config.ts. @param {string[]} names */
function projects(...names) {
  return names.flatMap((name) => ['--project', name])
}

/** @returns {Promise<Result>} */
async function vitest(name, args, reporter = 'default', env = {}) {
  const file = join(REPORTS, `${name}.json`)
  mkdirSync(REPORTS, { recursive: true })
  rmSync(file, { force: true })
  const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${file}`]
  const code = await run(bin('vitest'), ['run', ...reporters, ...args], env)
  return vitestResult(JSON.parse(contentOf(file) || '{}'), code)
}

/** Tests of money on the Node of the image, where the others ran on another. @returns {Promise<Result>} */
async function money() {
  const none = { passed: 0, failed: [], unstable: [] }
  if (process.versions.node.split('.')[0] === IMAGE_NODE.split('.')[0]) return none
  console.log(`\nTests of money on Node ${IMAGE_NODE}`)
  try {
    const path = [dirname(await ensureImageNode()), process.env.PATH].join(delimiter)
    const result = await vitest('money', ['--maxWorkers=4', ...MONEY, ...ONCE_MORE], 'dot', { PATH: path, SEEDS: '20' })
    return { ...result, failed: result.failed.map((name) => `Node ${IMAGE_NODE}: ${name}`) }
  } catch (cause) {
    console.log(`NOT CHECKED, the registry has no such Node for this platform: ${cause.message}`)
    return none
  }
}

/** The pages for the journeys. */
async function builtPages() {
  try {
    await build({ beside: true })
    return { passed: 0, failed: [], unstable: [] }
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    return { passed: 0, failed: ['the build of the pages'], unstable: [] }
  }
}

/** The journeys of Playwright on a build of the pages. @returns {Promise<Result>} */
async function journeys(pages) {
  console.log('\nJourneys')
  if (pages.failed.length > 0) return { passed: 0, failed: ['the journeys, which need the pages'], unstable: [] }
  const file = join(REPORTS, 'e2e.json')
  rmSync(file, { force: true })
  const config = join(root, 'e2e', 'playwright.config.ts')
  const code = await run(bin('playwright'), ['test', '--config', config, '--grep-invert=@long', '--retries=1'])
  return playwrightResult(JSON.parse(contentOf(file) || '{}'), code)
}

/** The logs of the tests hold no secret. A check that found nothing to read has failed, unless a filter left no service to start. */
function secrets() {
  console.log('\nSecrets')
  const { lines, secrets, found } = findSecrets()
  for (const place of found) console.error(`test-results/logs/${place}`)
  if (lines === 0 && !whole) {
    console.log('Secrets: no service ran, no log to read')
    return { passed: 0, failed: [], unstable: [] }
  }
  if (lines === 0) console.error('there is no log to read')
  const looked = secrets > 0 || !whole
  if (!looked) console.error('there is no secret to look for: the tests kept none')
  const passed = lines > 0 && looked && found.length === 0
  console.log(passed ? `Secrets: passed (${lines} lines read)` : 'Secrets: FAILED')
  return { passed: passed ? 1 : 0, failed: passed ? [] : ['Secrets'], unstable: [] }
}

/** Nothing grave is known against the packages of production. A registry that does not answer audits proves nothing, and fails nothing. */
async function packages() {
  const { answered, grave } = await audit()
  for (const finding of grave) console.error(finding)
  const passed = answered && grave.length === 0
  const unproven = 'NOT CHECKED, the registry does not answer audits'
  const found = passed ? 'passed' : 'FAILED; raise the version, or override it in package.json'
  console.log(`\nPackages: ${answered ? found : unproven}`)
  return { passed: passed ? 1 : 0, failed: grave.length > 0 ? ['Packages'] : [], unstable: [] }
}

function run(command, args, more = {}) {
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', NEXT_TELEMETRY_DISABLED: '1', ...more }
  const child = startChild(command, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve(console.error(cause.message) ?? 1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** Names what failed at the end, where it is seen, and prints the sum. @param {Result[]} results */
function conclude(results) {
  const failed = results.flatMap((result) => result.failed)
  const unstable = results.flatMap((result) => result.unstable)
  if (unstable.length > 0) console.log(`\nUnstable: failed, then passed\n  ${unstable.join('\n  ')}`)
  if (failed.length > 0) console.log(`\nFailed\n  ${failed.join('\n  ')}`)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  console.log(`\n${passed} passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
