import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedJourneys, failedTests, inBrief, outsideTests } from './failures.mjs'
import { root } from './steps.mjs'

test('a failed test is named by its file and title, and a file that cannot be loaded by itself', () => {
  const report = {
    testResults: [
      { name: join(root, 'server/a.test.ts'), status: 'passed', message: '', assertionResults: [] },
      {
        name: join(root, 'server/b.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'a payment settles', status: 'failed', failureMessages: ['Error: 1\n    at here', 'Error: 2'] },
          { fullName: 'another settles', status: 'passed', failureMessages: [] },
        ],
      },
      { name: join(root, 'server/c.test.ts'), status: 'failed', message: 'Error: no such module', assertionResults: [] },
    ],
  }
  expect(failedTests(report)).toEqual([
    { file: 'server/b.test.ts', name: 'server/b.test.ts: a payment settles', text: 'Error: 1\n    at here\nError: 2' },
    { file: 'server/c.test.ts', name: 'server/c.test.ts', text: 'Error: no such module' },
  ])
  expect(failedTests({})).toEqual([])
})

test('an error outside tests belongs to no file, and so does a run without a report', () => {
  expect(outsideTests([])).toEqual([])
  expect(outsideTests(['Worker exited'])).toEqual([{ file: '', name: 'outside the tests', text: 'Worker exited' }])
  expect(outsideTests(null)).toEqual([{ file: '', name: 'outside the tests', text: 'the run ended without a report' }])
})

test('a journey that failed or was skipped is named, at any depth, and so is an error outside journeys', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'pay.test.ts',
    tests: [{ status, results: [message ? { error: { message } } : {}] }],
  })
  const report = {
    suites: [
      {
        specs: [spec('pays', 'expected')],
        suites: [{ specs: [spec('signs in', 'unexpected', 'Timeout'), spec('waits', 'skipped')] }],
      },
    ],
    errors: [{ message: 'the service did not start' }],
  }
  expect(failedJourneys(report)).toEqual([
    { file: 'e2e/pay.test.ts', name: 'e2e/pay.test.ts: signs in', text: 'Timeout' },
    { file: 'e2e/pay.test.ts', name: 'e2e/pay.test.ts: waits', text: 'skipped' },
    { file: 'e2e', name: 'the journeys', text: 'the service did not start' },
  ])
})

test('a failure in brief has its first lines, without colours and stack', () => {
  const text = '\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n    at file.ts:1:1\n- 2\n+ 1'
  expect(inBrief({ name: 'a.test.ts: adds', text })).toBe(
    'a.test.ts: adds\n    AssertionError: expected 1 to be 2\n    - 2\n    + 1',
  )
})
