import { describe, expect, test } from 'vitest'
import { sourcesBelow } from '../../test/support/source-files'
import { reasons } from '../x402/reasons/reasons'
import { anchorOf, errorCatalog, historyCodes } from './documented-codes'
import { refusals } from './refusals'

const entry = (code: string) => errorCatalog.find((one) => one.code === code)

describe('the error catalog', () => {
  test('has every code once, with a cause and a remedy in whole sentences', () => {
    expect(new Set(errorCatalog.map(({ code }) => code)).size).toBe(errorCatalog.length)
    for (const code of [...Object.keys(reasons), ...Object.keys(refusals), ...historyCodes]) expect(entry(code)).toBeDefined()
    for (const { code, cause, remedy, places } of errorCatalog) {
      expect([code, cause, remedy]).toEqual([code, expect.stringMatching(/^\S.{8,}\.$/), expect.stringMatching(/^\S.{8,}\.$/)])
      expect([code, places.length]).toEqual([code, expect.toSatisfy((count: number) => count > 0)])
    }
  })

  test('says where a code appears and with which status', () => {
    expect(entry('settlement_pending')).toMatchObject({ places: ['judged'], statuses: [200] })
    expect(entry('quota_exceeded')).toMatchObject({ places: ['refused'], statuses: [429] })
    expect(entry('duplicate_settlement')).toMatchObject({ places: ['judged', 'refused'], statuses: [200, 409] })
    expect(entry('insufficient_funds')).toMatchObject({ places: ['history'], statuses: [] })
    expect(entry('invalid_exact_evm_insufficient_balance')).toMatchObject({ places: ['judged'] })
  })

  test('has every code in the sources', () => {
    const said = sourcesBelow('server')
      .filter(({ file }) => !/\.test\.ts$|log/.test(file))
      .flatMap(({ text }) => [...text.matchAll(/\b(?:reason|recorded): '(\w+)'/g)].map(([, code = '']) => code))
    expect(said.length).toBeGreaterThan(50)
    expect(said.filter((code) => !entry(code))).toEqual([])
  })

  test('names the anchor of a code on the page', () => {
    expect(anchorOf('insufficient_funds')).toBe('reason-insufficient_funds')
  })
})
