import { expect, test } from 'vitest'
import { classesIn } from './imports'
import { isTest, type Source, sourcesBelow } from './source-files'

/** Next's bundles hold other copies of our modules, so `instanceof` on a class of ours is sometimes false for our own errors. */
function brandSkipped(sources: Source[]): string[] {
  const seen = sources.map((source) => ({ file: source.file, ...classesIn(source) }))
  const ours = new Set(['ServiceError', ...seen.flatMap(({ declared }) => declared)])
  return seen.flatMap(({ file, tested }) => tested.filter((name) => ours.has(name)).map((name) => `${file}: instanceof ${name}`))
}

test('our own errors are recognised by their brand, never by instanceof', () => {
  const sources = sourcesBelow('server', 'app', 'components').filter(({ file }) => !isTest(file))
  expect(sources.length).toBeGreaterThan(0)
  expect(brandSkipped(sources)).toEqual([])
})

test('the checker sees instanceof on classes of ours, and leaves others alone', () => {
  const sources = [
    { file: 'a.ts', text: 'class LostLease extends Error {}' },
    {
      file: 'b.ts',
      text: 'const x = e instanceof LostLease || e instanceof ServiceError || e instanceof Error // instanceof LostLease',
    },
  ]
  expect(brandSkipped(sources)).toEqual(['b.ts: instanceof LostLease', 'b.ts: instanceof ServiceError'])
})
