import { describe, expect, test } from 'vitest'
import { BEHIND, weightOf } from './entry'
import { score } from './score'

const entries = [
  ['Overview'],
  ['Settlements'],
  ['API keys'],
  ['New API key', 'create'],
  ['Toggle theme', 'light dark'],
  ['Café keys'],
] as const

/** The titles that a query finds, the best first. */
const found = (query: string) =>
  entries
    .map((texts) => ({ title: texts[0], score: score(query, texts) }))
    .filter((entry) => entry.score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ title }) => title)

describe('the palette finds', () => {
  test.each([
    ['everything without a query', ' ', entries.map(([title]) => title)],
    ['by the beginning, in any case', 'sETT', ['Settlements']],
    ['a title that begins with the query before one that contains it', 'api', ['API keys', 'New API key']],
    ['by the first letters of words', 'nak', ['New API key']],
    ['by words of which some are left out', 'new k', ['New API key']],
    ['by hidden keywords', 'dark', ['Toggle theme']],
    ['without accents', 'cafe', ['Café keys']],
    ['by the middle of a word', 'ettle', ['Settlements']],
    ['nothing by letters scattered over the words', 'stmt', []],
    ['nothing for what is in no title', 'zzz', []],
  ])('%s', (_what, query, titles) => expect(found(query)).toEqual(titles))
})

test('a long title that nearly matches is judged at once', () => {
  expect(score(`${'a'.repeat(60)}b`, ['a '.repeat(60).trim()])).toBe(0)
})

test('what the server found and a switch of the mode rank behind a command that matches as well', () => {
  const ranked = (id: string, title: string) => score('test', [title]) * weightOf(id)
  const command = ranked('test payment', 'Test payment')
  expect([command > ranked(`${BEHIND.switches}x`, 'Test'), command > ranked(`${BEHIND.found}x`, 'Test')]).toEqual([true, true])
  // Below even a hidden keyword, so that what arrives later does not take its place.
  expect(score('test', ['Buy credits', 'test']) > ranked(`${BEHIND.found}x`, 'Test')).toBe(true)
})
