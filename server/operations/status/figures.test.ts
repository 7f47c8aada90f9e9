import { expect, test } from 'vitest'
import { historyCodes } from '../../http/documented-codes'
import { causeOf, codeOf } from '../../x402/reasons/causes'
import { CLAIM_MIN, figuresOf } from './figures'
import type { OutcomeRow } from './queries'

const rows = (reason: string, count: number, rest: Partial<OutcomeRow> = {}): OutcomeRow => ({
  network: 'eip155:8453',
  tier: 'standard',
  accepted: reason === '',
  reason,
  bin: reason === '' ? 40 : -1,
  count,
  ...rest,
})

test('failures of payers leave the share of success, and stay in the share of all', () => {
  const figures = figuresOf(
    [
      rows('', 90),
      rows('insufficient_funds', 10),
      rows('authorization_used_elsewhere', 5, { accepted: true }),
      rows('settlement_reversed', 6, { accepted: true }),
    ],
    4,
  )
  expect(figures).toMatchObject({
    settled: 90,
    failed: {
      payer: { count: 15, reasons: [{ reason: 'insufficient_funds', count: 10 }, { reason: 'authorization_used_elsewhere' }] },
      chain: { count: 6, reasons: [{ reason: 'settlement_reversed', count: 6 }] },
      facilitator: { count: 4, reasons: [{ reason: 'not_sent', count: 4 }] },
    },
    success: { of: 100, share: 0.9 },
    success_of_all: { of: 115, share: 90 / 115 },
  })
  expect(figures.success.lower_bound).toBeCloseTo(0.82563, 5)
})

test("the same reason is the payer's before we accepted the payment, and ours after", () => {
  const expired = 'invalid_exact_evm_payload_authorization_valid_before'
  const { failed } = figuresOf([rows(expired, 3), rows(expired, 2, { accepted: true })], 0)
  expect([failed.payer.count, failed.facilitator.count]).toEqual([3, 2])
})

test('an unknown reason is published as unknown and counts as ours', () => {
  const { failed } = figuresOf([rows('of https://shop.test', 1), rows('unknown', 1)], 0)
  expect(failed.facilitator).toEqual({ count: 2, reasons: [{ reason: 'unknown', count: 2 }] })
})

test('with fewer payments than the minimum nothing is claimed', () => {
  const none = { share: null, lower_bound: null }
  expect(figuresOf([rows('', CLAIM_MIN - 1)], 0)).toMatchObject({
    settled: CLAIM_MIN - 1,
    success: none,
    success_of_all: none,
    settle_ms: { of: CLAIM_MIN - 1, p50: null, p95: null },
  })
  // Payments whose time is unknown say nothing about it.
  const { success, settle_ms } = figuresOf([rows('', CLAIM_MIN - 1), rows('', 1, { bin: -1 })], 0)
  expect([success.share, settle_ms.p50]).toEqual([1, null])
  expect(figuresOf([rows('', CLAIM_MIN)], 0).settle_ms.p50).toBeGreaterThan(1_000)
})

test('every code of a history row has a cause, and no failed simulation counts against the chain', () => {
  for (const code of historyCodes) expect(codeOf(code)).toBe(code)
  const judged = historyCodes.filter((code) => causeOf(codeOf(code), false) !== 'payer')
  expect(judged).toEqual([
    'asset_not_deployed_contract',
    'invalid_batch_settlement_evm_claim_transaction_failed',
    'invalid_batch_settlement_evm_deposit_transaction_failed',
    'invalid_batch_settlement_evm_refund_transaction_failed',
    'invalid_batch_settlement_evm_rpc_read_failed',
    'invalid_batch_settlement_evm_settle_transaction_failed',
    'invalid_exact_evm_transaction_failed',
    'invalid_exact_evm_transfer_event_mismatch',
    'invalid_exact_svm_transaction_failed',
    'invalid_upto_evm_transaction_failed',
    'landed_without_proof',
    'settle_exact_svm_block_height_exceeded',
    'settlement_reversed',
    'transaction_failed',
    'unknown',
  ])
})
