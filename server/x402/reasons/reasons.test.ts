import { describe, expect, test } from 'vitest'
import { failure, historyReason, type Reason, reasons } from './reasons'

const known = Object.keys(reasons) as Reason[]

describe('a reason', () => {
  test.each(known)('%s has a sentence of its own kind', (reason) => {
    expect(reason).toMatch(/^[a-z0-9_]+$/)
    expect(reasons[reason]).toMatch(/^\S.{10,160}\.$/)
    expect(failure(reason)).toEqual({ reason, message: reasons[reason] })
  })

  test('keeps a better text where there is one', () => {
    expect(failure('unsupported_scheme', 'better')).toEqual({ reason: 'unsupported_scheme', message: 'better' })
  })
})

describe('error_reason in history', () => {
  test('is insufficient_funds for a lack of money, and the wire reason otherwise', () => {
    const lacking = new Set<Reason>([
      'invalid_batch_settlement_evm_insufficient_balance',
      'invalid_exact_evm_insufficient_balance',
      'permit2_insufficient_balance',
    ])
    for (const reason of known) expect(historyReason(reason)).toBe(lacking.has(reason) ? 'insufficient_funds' : reason)
    expect(historyReason('invalid_exact_svm_insufficient_balance')).toBe('insufficient_funds')
  })

  test.each(['', 'execution reverted', 'toString', 'constructor', '__proto__'])('is unknown for %j', (reason) => {
    expect(historyReason(reason)).toBe('unknown')
  })
})
