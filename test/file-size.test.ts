import { expect, test } from 'vitest'
import { isTest, type Source, sourcesBelow } from './source-files'

const MAX_LINES = 260

const tooLong = (sources: Source[]): string[] =>
  sources
    .filter(({ text }) => text.trimEnd().split('\n').length > MAX_LINES)
    .map(({ file }) => `${file} has more than ${MAX_LINES} lines: cut it along a noun`)

test('a source file stays below the size limit', () => {
  const sources = sourcesBelow('server', 'app', 'components', 'devnet', 'examples').filter(({ file }) => !isTest(file))
  expect(sources.length).toBeGreaterThan(0)
  expect(tooLong(sources)).toEqual([])
})

test('the check finds a long file', () => {
  const lines = (count: number) => ({ file: `${count}.ts`, text: 'x\n'.repeat(count) })
  expect(tooLong([lines(260), lines(261)])).toEqual(['261.ts has more than 260 lines: cut it along a noun'])
})
