import { expect, test } from 'vitest'
import { exampleSettlements } from './example'
import { spareFor } from './few'

const rows = exampleSettlements('mainnet', Date.parse('2026-11-28T12:00:00Z'))

test('a few rows go without the search and the filters that have one value', () => {
  expect(spareFor(rows)).toEqual(['reason', 'network', 'key', 'recipient', 'token', 'search'])
  expect(spareFor(rows.slice(0, 1))).toContain('outcome')
})

test('rows that nothing tells apart go without the range of time too', () => {
  expect(spareFor(rows.slice(0, 1))).toContain('range')
  expect(spareFor(rows.slice(0, 2))).not.toContain('range')
})

test('many rows have all filters', () => {
  expect(spareFor([...rows, ...rows, ...rows])).toEqual([])
})
