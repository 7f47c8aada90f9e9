import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './steps.mjs'

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Assertion */
/** @typedef {{ name: string, status: string, assertionResults: Assertion[] }} TestFile */
/** @typedef {{ status: string, results?: { error?: { message?: string } }[] }} JourneyTest */
/** @typedef {{ specs?: { title: string, file: string, tests: JourneyTest[] }[], suites?: Suite[] }} Suite */
/** @typedef {{ passed: number, failed: string[], unstable: string[] }} Result how many tests passed; the names of those that failed, with why, and of those that passed only the second time */

const WHY_LENGTH = 600

/** The name of a failed test, and how its message begins. @param {string} name @param {string[]} messages */
function explained(name, [message = '']) {
  const why = stripVTControlCharacters(message).trim().slice(0, WHY_LENGTH).replaceAll('\n', '\n    ')
  return why === '' ? name : `${name}\n    ${why}`
}

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
  const failed = named.filter(({ status }) => status === 'failed').map((test) => explained(test.name, test.failureMessages))
  const alone = files.filter(({ status, assertionResults }) => {
    return status === 'failed' && assertionResults.every((test) => test.status !== 'failed')
  })
  const twice = passed.filter(({ failureMessages }) => failureMessages.length > 0)
  const unstable = twice.map((test) => explained(test.name, test.failureMessages))
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
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ status, results = [] }) => {
      const messages = results.flatMap(({ error }) => error?.message ?? [])
      return { name: explained(`e2e/${file}: ${title}`, messages), status }
    }),
  )
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
