import { expect, test } from 'vitest'
import { isTest, type Source, sourcesBelow } from '../support/source-files'

const MAX_LINES = 260

const tooLong = (sources: Source[]): string[] =>
  sources
    .filter(({ text }) => text.trimEnd().split('\n').length > MAX_LINES)
    .map(({ file }) => `${file} has more than ${MAX_LINES} lines: cut it along a noun`)

test('a source file stays below the size limit, and so does a test', () => {
  const tests = sourcesBelow('bench', 'e2e', 'scripts', 'test').filter(({ file }) => isTest(file))
  const sources = [...sourcesBelow('server', 'app', 'components', 'devnet', 'examples'), ...tests]
  expect(sources.filter(({ file }) => isTest(file)).length).toBeGreaterThan(100)
  expect(sources.filter(({ file }) => !isTest(file)).length).toBeGreaterThan(100)
  expect(tooLong(sources)).toEqual([])
})

test('the check finds a long file', () => {
  const lines = (count: number) => ({ file: `${count}.ts`, text: 'x\n'.repeat(count) })
  expect(tooLong([lines(260), lines(261)])).toEqual(['261.ts has more than 260 lines: cut it along a noun'])
})
