import { relative } from 'node:path'
import { root } from './steps.mjs'

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Assertion */
/** @typedef {{ name: string, status: string, assertionResults: Assertion[] }} TestFile */
/** @typedef {{ specs?: { title: string, file: string, tests: { status: string }[] }[], suites?: Suite[] }} Suite */
/** @typedef {{ passed: number, failed: string[], unstable: string[] }} Result how many tests passed; the names of those that failed, and of those that passed only the second time */

/**
 * The result of Vitest's JSON report. A file fails itself if it cannot be loaded or its hooks fail.
 * @param {{ testResults?: TestFile[] }} report
 * @param {number} code the exit code
 * @returns {Result}
 */
export function vitestResult({ testResults = [] }, code) {
  const files = testResults.map(({ name, ...rest }) => ({ file: relative(root, name), ...rest }))
  const named = files.flatMap(({ file, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, name: `${file}: ${test.fullName}` })),
  )
  const passed = named.filter(({ status }) => status === 'passed')
  const failed = named.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const alone = files.filter(({ status, assertionResults }) => {
    return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
  })
  const unstable = passed.filter(({ failureMessages }) => failureMessages.length > 0).map(({ name }) => name)
  return resultOf({ passed: passed.length, failed: [...failed, ...alone.map(({ file }) => file)], unstable }, code)
}

/**
 * The result of Playwright's JSON report. A skipped journey has shown nothing, so it failed.
 * @param {{ suites?: Suite[] }} report
 * @param {number} code the exit code
 * @returns {Result}
 */
export function playwrightResult({ suites = [] }, code) {
  const all = suites.flatMap(journeysOf)
  const named = (...wanted) => all.filter(({ status }) => wanted.includes(status)).map(({ name }) => name)
  const passed = all.filter(({ status }) => status === 'expected' || status === 'flaky').length
  return resultOf({ passed, failed: named('unexpected', 'skipped'), unstable: named('flaky') }, code)
}

/**
 * @param {Suite} suite
 * @returns {{ name: string, status: string }[]}
 */
function journeysOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ title, file, tests }) => tests.map(({ status }) => ({ name: `e2e/${file}: ${title}`, status })))
  return [...own, ...suites.flatMap(journeysOf)]
}

/**
 * A run that found nothing has failed, and so has one that ended badly without a failed test: an error outside tests, a dead worker.
 * @param {Result} result
 * @param {number} code
 * @returns {Result}
 */
function resultOf(result, code) {
  const unexplained = result.failed.length === 0 && (code !== 0 || result.passed === 0)
  return unexplained ? { ...result, failed: [`the run: exit code ${code}, ${result.passed} passed`] } : result
}
