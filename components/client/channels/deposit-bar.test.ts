import { expect, test } from 'vitest'
import { depositParts } from './deposit-bar'

test('a deposit is what was claimed, then what is charged beyond that, and never more than itself', () => {
  expect(depositParts({ balance: '1000', claimed: '250', charged: '600' })).toEqual([25, 35])
  expect(depositParts({ balance: '1000', claimed: '600', charged: '250' })).toEqual([60, 0])
  // A voucher may be charged before its deposit is seen.
  expect(depositParts({ balance: '1000', claimed: '400', charged: '5000' })).toEqual([40, 60])
  expect(depositParts({ balance: '0', claimed: '0', charged: '10' })).toEqual([0, 0])
})
