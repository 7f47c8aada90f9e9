import { expect, test } from 'vitest'
import { failuresOf } from './failures'

test('codes with the same title are one failure, most common first', () => {
  const reasons = [
    { reason: 'authorization_used_elsewhere', title: 'Authorization used elsewhere', count: 4, before: 0 },
    { reason: 'insufficient_funds', title: 'Insufficient funds', count: 3, before: 1 },
    { reason: 'invalid_exact_evm_insufficient_balance', title: 'Insufficient funds', count: 2, before: 6 },
    { reason: 'a_new_code', title: 'a_new_code', count: 1, before: 0 },
  ]
  expect(failuresOf(reasons)).toEqual([
    {
      title: 'Insufficient funds',
      codes: ['insufficient_funds', 'invalid_exact_evm_insufficient_balance'],
      count: 5,
      before: 7,
    },
    { title: 'Authorization used elsewhere', codes: ['authorization_used_elsewhere'], count: 4, before: 0 },
    { title: 'a_new_code', codes: ['a_new_code'], count: 1, before: 0 },
  ])
})
