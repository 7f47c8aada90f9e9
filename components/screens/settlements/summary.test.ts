import { describe, expect, test } from 'vitest'
import { fileTotalText, rangeText, summaryText } from './summary'

const USDC = { asset: 'USDC', decimals: 6, amount: '39562000' }
const SUMMARY = {
  settled: 2_197,
  failed: 140,
  valid: 2_197,
  more: false,
  volumes: [USDC],
  own: { count: 2_337, more: false },
  counted: 10_000,
}
const MAX = 50_000

describe('the total of a file', () => {
  test('is what was settled, per token, also in a file of all outcomes', () => {
    const total = 'Total: 39.562 USDC from 2,197 settlements.'
    expect([fileTotalText(SUMMARY, {}, MAX), fileTotalText(SUMMARY, { status: 'success' }, MAX)]).toEqual([total, total])
    const volumes = [USDC, { asset: 'EURC', decimals: 6, amount: '500000' }]
    expect(fileTotalText({ ...SUMMARY, volumes }, {}, MAX)).toBe('Total: 39.562 USDC + 0.50 EURC from 2,197 settlements.')
  })

  test('of failures alone is nothing', () => {
    expect([fileTotalText(SUMMARY, { status: 'failed' }, MAX), fileTotalText(SUMMARY, { reason: ['unknown'] }, MAX)]).toEqual([
      'Total: nothing was settled.',
      'Total: nothing was settled.',
    ])
  })

  test('is not said where the file, or what was counted, may lack rows of the list', () => {
    expect([fileTotalText({ ...SUMMARY, more: true }, {}, MAX), fileTotalText(SUMMARY, {}, 2_336)]).toEqual([null, null])
    expect(fileTotalText(SUMMARY, {}, 2_337)).not.toBeNull()
  })
})

test('a page says its rows of all; a later one does not say how many are before it', () => {
  expect([rangeText(50, SUMMARY, true), rangeText(50, SUMMARY, false)]).toEqual(['1–50 of 2,337', '50 of 2,337'])
})

describe('a list in one line', () => {
  const of = (judges: boolean, short: boolean) => summaryText(SUMMARY, {}, { what: 'payments', short, judges })

  test('says to a payer what its payments come to, in the same words on a phone', () => {
    expect([of(false, true), of(false, false)]).toEqual(Array(2).fill('2,337 payments · 39.562 USDC spent'))
  })

  test('says of failures how many payers caused', () => {
    const failures = (summary: typeof SUMMARY) =>
      summaryText(
        { ...summary, own: { count: 140, more: false } },
        { status: 'failed' },
        { what: 'settlements', short: false, judges: true },
      )
    expect([failures(SUMMARY), failures({ ...SUMMARY, valid: 2_207 })]).toEqual([
      '140 failed (6.0% of attempts) · all caused by payers',
      '140 failed (6.0% of attempts) · 130 caused by payers',
    ])
  })

  test('says to a merchant how well they settled; on a phone without the rate', () => {
    expect(of(true, true)).toBe('39.562 USDC · 140 failed, all by payers')
  })
})
