import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from './audit.mjs'
import { bootstrap } from './bootstrap.mjs'
import { build } from './build.mjs'
import { LANES, runChecks } from './checks.mjs'
import { endTogether, startChild } from './children.mjs'
import { failedJourneys, failedTests, inBrief, outsideTests } from './failures.mjs'
import { ensureChromium, ensureLegacyClients, ensurePostgres, ensurePython, ensureRedis } from './install.mjs'
import { emptyLogs, findSecrets } from './secrets.mjs'
import { contentOf, patient, root } from './steps.mjs'

// Everything a change must pass, on a fresh clone too (docs/testing.md): style, types, tests, journeys through the pages, no secret in
// their logs, and no known grave flaw in a package that production runs. The last line is the sum.
const REPORTS = join(root, 'test-results')
const SIMULATION = 'test/money/simulation'
const JOURNEYS = join(REPORTS, 'e2e.json')
const STRAY = join(root, 'scripts', 'stray-errors.mjs')
const filters = process.argv.slice(2)
const bin = (name) => join(root, 'node_modules', '.bin', name)
// More failed files than these point to a fault, not to a busy machine.
const MOST_AGAIN = 3

endTogether()
try {
  await bootstrap()
  await ensurePostgres()
  await ensureRedis()
  await ensurePython()
  await ensureLegacyClients()
  if (filters.length === 0) await ensureChromium()
  emptyLogs()
  const [[checked, pages], served] = await Promise.all([withoutDeadlines(), tests()])
  // Journeys wait for pages, and the audit for the network.
  const [browsed, pure, audited] = await Promise.all([journeys(pages), pureTests(), filters.length === 0 ? audit() : null])
  conclude([...checked, served, browsed, pure, secrets(), packages(audited)])
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  conclude([{ passed: 0, failed: 1 }])
}

/**
 * What has no deadline of its own, in two lanes: style, imports and the simulation; types and the build of the pages. It takes the CPU
 * time that the tests of the service leave, a third of two cores, and none of theirs.
 */
async function withoutDeadlines() {
  const [types = [], rest = []] = LANES
  const check = (lane) => runChecks([lane.map(patient)])
  const [first, [others, pages]] = await Promise.all([
    check(rest).then(async (checks) => [checks, await simulation()]),
    check(types).then(async (checks) => [checks, await builtPages()]),
  ])
  return [[...first, others], pages]
}

/** The tests with a service, a chain or a database, which have real deadlines and wait for blocks and processes. */
function tests() {
  console.log('\nTests')
  if (filters.length > 0) return vitest('tests', filters)
  return vitest('tests', ['--project', '!pure', '--exclude', `${SIMULATION}/**`])
}

/** The tests that need only their own process. Filters name tests of both kinds. */
function pureTests() {
  if (filters.length > 0) return { passed: 0, failed: 0 }
  return vitest('pure', ['--project', 'pure', '--maxWorkers=2'], { reporter: 'dot' })
}

/** The engine under seeds of faults. A filter that names it ran it already. */
function simulation() {
  if (filters.length > 0) return { passed: 0, failed: 0 }
  console.log('\nSimulation')
  return vitest('simulation', [SIMULATION, '--maxWorkers=1'], { reporter: 'dot', low: true })
}

/** A run of vitest; a run without a report, or that found nothing, has failed. */
function vitest(name, args, { reporter = 'default', low = false } = {}) {
  return twice(args, async (args) => {
    const file = join(REPORTS, `${name}.json`)
    mkdirSync(REPORTS, { recursive: true })
    const stray = join(REPORTS, `${name}.stray.json`)
    for (const old of [file, stray]) rmSync(old, { force: true })
    const reporters = [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${file}`, `--reporter=${STRAY}`]
    const started = { command: bin('vitest'), args: ['run', ...reporters, ...args] }
    const { command, args: all } = low ? patient(started) : started
    const code = await run(command, all, { STRAY_ERRORS: stray })
    const report = JSON.parse(contentOf(file) || '{}')
    const failures = [...failedTests(report), ...outsideTests(JSON.parse(contentOf(stray) || 'null'))]
    return counted(report.numPassedTests ?? 0, failures, code)
  })
}

/** Whether the pages could be built for the journeys. Filters are about tests, and then there are no journeys. */
async function builtPages() {
  if (filters.length > 0) return false
  return build({ beside: true, low: true }).then(
    () => true,
    (cause) => console.error(cause instanceof Error ? cause.message : cause) ?? false,
  )
}

/** The journeys of Playwright on a build of the pages. */
async function journeys(built) {
  if (filters.length > 0) return { passed: 0, failed: 0 }
  console.log('\nJourneys')
  if (!built) return { passed: 0, failed: 1, failures: [{ name: 'the build of the pages', text: 'see above' }] }
  return twice([], async (files) => {
    rmSync(JOURNEYS, { force: true })
    const again = files.length > 0 ? ['--last-failed', '--workers=1'] : []
    const code = await run(bin('playwright'), ['test', '--config', join(root, 'e2e', 'playwright.config.ts'), ...again])
    const report = JSON.parse(contentOf(JOURNEYS) || '{}')
    return counted(report.stats?.expected ?? 0, failedJourneys(report), code)
  })
}

function counted(passed, failures, code) {
  const unexplained = failures.length === 0 && (code !== 0 || passed === 0)
  const all = unexplained ? [{ file: '', name: 'the run', text: `exit code ${code}, ${passed} passed` }] : failures
  return { passed, failed: all.length, failures: all }
}

/**
 * Runs tests, and once more, alone, the few files that failed: a busy machine may have missed a deadline. What passes only then is
 * named at the end as unstable.
 */
async function twice(args, runOf) {
  const first = await runOf(args)
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (filters.length > 0 || files.length === 0 || files.length > MOST_AGAIN || files.includes('')) return first
  console.log(`\nOnce more, alone: ${files.join(', ')}`)
  const second = await runOf(['--maxWorkers=1', ...files])
  if (second.failed > 0) return { ...first, failures: [...first.failures, ...second.failures] }
  return { passed: first.passed + first.failed, failed: 0, unstable: first.failures }
}

/** The logs of the tests hold no secret. A check that found nothing to read has failed, unless a filter left no service to start. */
function secrets() {
  console.log('\nSecrets')
  const { lines, secrets, found } = findSecrets()
  for (const place of found) console.error(`test-results/logs/${place}`)
  if (lines === 0 && filters.length > 0) return console.log('Secrets: no service ran, no log to read') ?? { passed: 0, failed: 0 }
  if (lines === 0) console.error('there is no log to read')
  const looked = secrets > 0 || filters.length > 0
  if (!looked) console.error('there is no secret to look for: the tests kept none')
  const passed = lines > 0 && looked && found.length === 0
  console.log(passed ? `Secrets: passed (${lines} lines read)` : 'Secrets: FAILED')
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 }
}

/** Nothing grave is known against the packages of production. A registry that does not answer audits proves nothing, and fails nothing. */
function packages(audited) {
  if (!audited) return { passed: 0, failed: 0 }
  console.log('\nPackages')
  const { answered, grave } = audited
  for (const finding of grave) console.error(finding)
  if (!answered) return console.log('Packages: NOT CHECKED, the registry does not answer audits') ?? { passed: 0, failed: 0 }
  console.log(grave.length === 0 ? 'Packages: passed' : 'Packages: FAILED; raise the version, or override it in package.json')
  return { passed: grave.length === 0 ? 1 : 0, failed: grave.length === 0 ? 0 : 1 }
}

function run(command, args, more = {}) {
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', NEXT_TELEMETRY_DISABLED: '1', ...more }
  const child = startChild(command, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve(console.error(cause.message) ?? 1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** Names what failed at the end, where it is seen, and prints the sum. */
function conclude(results) {
  for (const [title, key] of [
    ['Unstable: failed, then passed alone', 'unstable'],
    ['Failed', 'failures'],
  ]) {
    const found = results.flatMap((result) => result[key] ?? [])
    if (found.length > 0) console.log(`\n${title}\n${found.map((failure) => `  ${inBrief(failure)}`).join('\n')}`)
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}
