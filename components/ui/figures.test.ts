import { expect, test } from 'vitest'
import { amountText, headlineText, partText, percent, placesOf, restOf, shareText, usdc } from './figures'

const column = (amounts: string[], decimals = 6) => {
  const all = amounts.map((atomic) => ({ atomic, decimals }))
  return all.map((one) => `${amountText(one.atomic, decimals)}|${restOf(one, placesOf(all))}`)
}

test('an amount is exact, with two decimals at least; in a column the unseen rest gives all the decimals of the finest', () => {
  expect(['1', '1000', '1500000', '2000000', '1234567890000'].map((amount) => usdc(amount))).toEqual([
    '0.000001',
    '0.001',
    '1.50',
    '2.00',
    '1,234,567.89',
  ])
  expect(column(['1000', '1500000', '0'])).toEqual(['0.001|', '1.50|0', '0|.000'])
  expect(column(['2000000', '1234500000'])).toEqual(['2.00|', '1,234.50|'])
  expect(column(['2000000', '3000000'])).toEqual(['2.00|', '3.00|'])
  expect(restOf({ atomic: '1500', decimals: 6 }, 0)).toBe('')
})

test('a headline has two decimals, of a micropayment all, and "$" for a dollar stablecoin in place of its symbol', () => {
  const shown = (atomic: string, symbol = 'USDC') => headlineText(atomic, { symbol, decimals: 6 })
  const amounts = ['67892000', '43500000', '7260000', '100000', '1000', '1234', '1', '0', '999999', '1234567890000', '67895000']
  expect(amounts.map((amount) => shown(amount))).toEqual([
    '$67.89',
    '$43.50',
    '$7.26',
    '$0.10',
    '$0.001',
    '$0.001234',
    '$0.000001',
    '$0',
    '$0.999999',
    '$1,234,567.89',
    '$67.90',
  ])
  expect([shown('67892000', 'EURC'), shown('1', 'PYUSD')]).toEqual(['67.89 EURC', '$0.000001'])
  expect(headlineText('1', { symbol: 'mUSD', decimals: 18 })).toBe('<$0.000001')
  expect([headlineText('150', { symbol: 'X', decimals: 2 }), headlineText('7', { symbol: 'X', decimals: 0 })]).toEqual([
    '1.50 X',
    '7.00 X',
  ])
})

test('an amount of a token with 18 decimals has at most six, and is never shown as nothing', () => {
  const shown = (atomic: string) => amountText(atomic, 18)
  expect(['0', '1', '999999999999', '1000000000000', '1234567890123456789012'].map(shown)).toEqual([
    '0',
    '<0.000001',
    '<0.000001',
    '0.000001',
    '1,234.56789',
  ])
  expect(column(['1', '1500000000000000000', '0'], 18)).toEqual(['<0.000001|', '1.50|0000', '0|.000000'])
  expect([amountText('150', 2), amountText('7', 0)]).toEqual(['1.50', '7.00'])
})

test('a percentage has at most one decimal, and 100% only without any failure', () => {
  expect([0, 0.8, 0.575, 0.9999, 1].map(percent)).toEqual(['0%', '80%', '57.5%', '99.9%', '100%'])
})

test('a part of less than the whole is never 100%', () => {
  expect([0.5, 0.9996, 1].map(partText)).toEqual(['50.0%', '99.9%', '100.0%'])
})

test('a success rate always has one decimal', () => {
  expect([0.939, 0.94, 0.9999, 1].map(shareText)).toEqual(['93.9%', '94.0%', '99.9%', '100.0%'])
})
