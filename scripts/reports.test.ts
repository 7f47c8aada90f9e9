import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playwrightResult, vitestResult } from './reports.mjs'
import { root } from './steps.mjs'

const one = (fullName: string, status: string, ...failureMessages: string[]) => ({ fullName, status, failureMessages })
const passing = { name: join(root, 'server/a.test.ts'), status: 'passed', assertionResults: [one('adds', 'passed')] }

test('a run of Vitest names what failed, with why, and what passed the second time', () => {
  const tests = [
    one('pays', 'failed', '\u001b[31mError\u001b[39m: seed 7\nat line 3'),
    one('settles', 'passed', 'Error: late'),
    one('waits', 'passed'),
  ]
  const mixed = { name: join(root, 'server/b.test.ts'), status: 'failed', assertionResults: tests }
  const broken = { name: join(root, 'server/c.test.ts'), status: 'failed', assertionResults: [] }
  expect(vitestResult({ testResults: [passing, mixed, broken] }, 1)).toEqual({
    passed: 3,
    failed: ['server/b.test.ts: pays\n    Error: seed 7\n    at line 3', 'server/c.test.ts'],
    unstable: ['server/b.test.ts: settles\n    Error: late'],
  })
})

test.each([
  ['found no test', {}, 0, 0],
  ['had an error outside tests', { testResults: [passing] }, 1, 1],
])('a run that %s has failed', (_, report, code, passed) => {
  const failed = [`the run: exit code ${code}, ${passed} passed`]
  expect(vitestResult(report, code)).toEqual({ passed, failed, unstable: [] })
})

test('a run of Playwright names what failed, with why, and skipped journeys as failed', () => {
  const spec = (title: string, status: string, ...messages: string[]) => {
    const results = messages.map((message) => ({ error: { message } }))
    return { title, file: 'pay.test.ts', tests: [{ status, results }] }
  }
  const specs = [spec('pays', 'expected'), spec('signs in', 'unexpected', 'no button'), spec('is late', 'flaky')]
  const suites = [{ specs, suites: [{ specs: [spec('waits', 'skipped')] }] }]
  expect(playwrightResult({ suites }, 1)).toEqual({
    passed: 2,
    failed: ['e2e/pay.test.ts: signs in\n    no button', 'e2e/pay.test.ts: waits'],
    unstable: ['e2e/pay.test.ts: is late'],
  })
})
