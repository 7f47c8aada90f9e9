import { describe, expect, test } from 'vitest'
import { findIn } from './matching'

const entries = [
  { title: 'Overview' },
  { title: 'Settlements' },
  { title: 'API keys' },
  { title: 'New API key' },
  { title: 'Light or dark', also: 'theme' },
  { title: 'Café keys' },
]
const found = (written: string) => findIn(entries, written).map(({ title }) => title)

describe('the palette finds', () => {
  test.each([
    ['everything for nothing', ' ', entries.map(({ title }) => title)],
    ['by a beginning, in any case', 'sETT', ['Settlements']],
    ['what begins so before what has a word that does', 'api', ['API keys', 'New API key']],
    ['by the beginnings of words', 'nak', ['New API key']],
    ['by words of which some are left out', 'new k', ['New API key']],
    ['by words that are not shown, last', 'the', ['Light or dark']],
    ['letters without their accents', 'cafe', ['Café keys']],
    ['nothing by the middle of a word', 'ettle', []],
    ['nothing by words in another order', 'keys api', []],
    ['nothing that is not there', 'zzz', []],
  ])('%s', (_what, written, titles) => expect(found(written)).toEqual(titles))
})

test('a long text that nearly fits is told apart at once', () => {
  const title = 'a '.repeat(60).trim()
  expect(findIn([{ title }], `${'a'.repeat(60)}b`)).toEqual([])
})
