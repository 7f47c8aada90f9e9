import { expect, test } from 'vitest'
import { shownMonths } from './month'

/** Twelve months, with payments in those at the given places. */
const months = (...paid: number[]) =>
  Array.from({ length: 12 }, (_, at) => ({ month: `2026-${at + 1}`, amount: '0', payments: paid.includes(at) ? 1 : 0 }))

test('the bars begin with the first month that has payments', () => {
  const count = (...paid: number[]) => shownMonths(months(...paid)).length
  expect([count(10, 11), count(7, 11), count(0), count()]).toEqual([2, 5, 12, 0])
})
