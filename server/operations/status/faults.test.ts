import { expect, test } from 'vitest'
import { presentFaults } from './faults'

test("faults count what this facilitator and the chain failed, among the payments that were no payer's fault", () => {
  const row = (reason: string, accepted: boolean, count: number) => ({ reason, accepted, count })
  const outcomes = [
    row('', true, 90),
    row('insufficient_funds', false, 50),
    row('insufficient_funds', true, 5),
    row('settlement_reversed', true, 3),
    row('unknown', true, 2),
  ]
  expect(presentFaults(outcomes)).toEqual({
    valid: 95,
    failed: { facilitator: 2, chain: 3 },
    reasons: ['settlement_reversed', 'unknown'],
  })
})
