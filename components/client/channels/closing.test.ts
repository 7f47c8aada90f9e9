import { expect, test } from 'vitest'
import { closingRefund } from './closing'

const AT = '2026-11-28T14:51:49.300Z'
const LATER = '2026-11-28T14:51:51.000Z'
const refund = { kind: 'refund', state: 'FINAL', createdAt: AT }

test('the last refund closed a channel, and a request of the same second came before it', () => {
  const claim = { kind: 'claim', state: 'FINAL', createdAt: '2026-11-27T00:00:00.000Z' }
  expect(closingRefund([refund, claim], '2026-11-28T14:51:49.900Z')).toBe(refund)
  expect(closingRefund([claim, refund], null)).toBe(refund)
})

test('no refund closed it that failed, or that a claim or a request followed', () => {
  expect(closingRefund([], null)).toBeUndefined()
  expect(closingRefund([{ ...refund, state: 'FAILED' }], null)).toBeUndefined()
  expect(closingRefund([refund, { kind: 'claim', state: 'INCLUDED', createdAt: LATER }], null)).toBeUndefined()
  expect(closingRefund([refund], LATER)).toBeUndefined()
})
