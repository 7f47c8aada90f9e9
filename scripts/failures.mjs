import { relative } from 'node:path'
import { root } from './steps.mjs'

/** @typedef {{ file: string, name: string, text: string }} Failure */
/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Assertion */
/** @typedef {{ name: string, status: string, message: string, assertionResults: Assertion[] }} TestFile */
/** @typedef {{ status: string, results: { error?: { message?: string } }[] }} Journey */
/** @typedef {{ specs?: { title: string, file: string, tests: Journey[] }[], suites?: Suite[] }} Suite */

/**
 * The failed tests of vitest's report. A file that cannot be loaded has no tests, and fails itself.
 * @param {{ testResults?: TestFile[] }} report
 * @returns {Failure[]}
 */
export function failedTests({ testResults = [] }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0) return [{ file, name: file, text: message }]
      return failed.map(({ fullName, failureMessages }) => ({
        file,
        name: `${file}: ${fullName}`,
        text: failureMessages.join('\n'),
      }))
    })
}

/**
 * The errors outside tests, of which Vitest's report has none. They belong to no file, and no repetition clears them.
 * @param {string[] | null} errors null: the run ended before it could say
 * @returns {Failure[]}
 */
export function outsideTests(errors) {
  const texts = errors ?? ['the run ended without a report']
  return texts.map((text) => ({ file: '', name: 'outside the tests', text }))
}

/**
 * What Playwright's report does not show to work: failed and skipped journeys, and errors outside journeys.
 * @param {{ suites?: Suite[], errors?: { message?: string }[] }} report
 * @returns {Failure[]}
 */
export function failedJourneys({ suites = [], errors = [] }) {
  return [
    ...suites.flatMap(unshown),
    ...errors.map(({ message = 'no message' }) => ({ file: 'e2e', name: 'the journeys', text: message })),
  ]
}

/**
 * @param {Suite} suite
 * @returns {Failure[]}
 */
function unshown({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ status, results }) => ({
        file: `e2e/${file}`,
        name: `e2e/${file}: ${title}`,
        text: results.map(({ error }) => error?.message ?? status).join('\n'),
      })),
  )
  return [...own, ...suites.flatMap(unshown)]
}

/**
 * A failure in a few lines, without colours.
 * @param {{ name: string, text: string }} failure
 */
export function inBrief({ name, text }) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
  const plain = String(text).replace(/\u001b\[[0-9;]*m/g, '')
  const lines = plain.split('\n').filter((line) => line.trim() && !line.trimStart().startsWith('at '))
  return [name, ...lines.slice(0, 6).map((line) => `    ${line.trim()}`)].join('\n')
}
