import { describe, expect, test } from 'vitest'
import { sourcesBelow } from '../../test/source-files'
import { reasons } from '../x402/reasons'
import { anchorOf, errorCatalog, historyCodes } from './error-catalog'
import { refusals } from './refusals'

const entry = (word: string) => errorCatalog.find((one) => one.word === word)

describe('the errorCatalog of reasons', () => {
  test('has every word once, with a cause and a remedy in whole sentences', () => {
    expect(new Set(errorCatalog.map(({ word }) => word)).size).toBe(errorCatalog.length)
    for (const word of [...Object.keys(reasons), ...Object.keys(refusals), ...historyCodes]) expect(entry(word)).toBeDefined()
    for (const { word, cause, remedy, places } of errorCatalog) {
      expect([word, cause, remedy]).toEqual([word, expect.stringMatching(/^\S.{8,}\.$/), expect.stringMatching(/^\S.{8,}\.$/)])
      expect([word, places.length]).toEqual([word, expect.toSatisfy((count: number) => count > 0)])
    }
  })

  test('tells where a word appears and with which status', () => {
    expect(entry('settlement_pending')).toMatchObject({ places: ['judged'], statuses: [200] })
    expect(entry('quota_exceeded')).toMatchObject({ places: ['refused'], statuses: [429] })
    expect(entry('duplicate_settlement')).toMatchObject({ places: ['judged', 'refused'], statuses: [200, 409] })
    expect(entry('insufficient_funds')).toMatchObject({ places: ['history'], statuses: [] })
    expect(entry('invalid_exact_evm_insufficient_balance')).toMatchObject({ places: ['judged'] })
  })

  test('knows whatever word stands in the sources', () => {
    const said = sourcesBelow('server')
      .filter(({ file }) => !/\.test\.ts$|log/.test(file))
      .flatMap(({ text }) => [...text.matchAll(/\b(?:reason|recorded): '(\w+)'/g)].map(([, word = '']) => word))
    expect(said.length).toBeGreaterThan(50)
    expect(said.filter((word) => !entry(word))).toEqual([])
  })

  test('is found on the page under the word', () => {
    expect(anchorOf('insufficient_funds')).toBe('reason-insufficient_funds')
  })
})
