import { expect, test } from 'vitest'
import { isTest, type Source, sourcesBelow } from '../support/source-files'
import { classesIn } from './imports'

/** Uses of `instanceof` on our classes. Next bundles its own copies of our modules, so such a test can be wrongly false. */
function brandSkipped(sources: Source[]): string[] {
  const seen = sources.map((source) => ({ file: source.file, ...classesIn(source) }))
  const ours = new Set(['ServiceError', ...seen.flatMap(({ declared }) => declared)])
  return seen.flatMap(({ file, tested }) => tested.filter((name) => ours.has(name)).map((name) => `${file}: instanceof ${name}`))
}

test('our errors are recognised by their brand, never by instanceof', () => {
  const sources = sourcesBelow('server', 'app', 'components').filter(({ file }) => !isTest(file))
  expect(sources.length).toBeGreaterThan(0)
  expect(brandSkipped(sources)).toEqual([])
})

test('the check finds instanceof on our classes, and ignores other classes', () => {
  const sources = [
    { file: 'a.ts', text: 'class LostLease extends Error {}' },
    {
      file: 'b.ts',
      text: 'const x = e instanceof LostLease || e instanceof ServiceError || e instanceof Error // instanceof LostLease',
    },
  ]
  expect(brandSkipped(sources)).toEqual(['b.ts: instanceof LostLease', 'b.ts: instanceof ServiceError'])
})
