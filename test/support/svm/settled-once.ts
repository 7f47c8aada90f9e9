import { expect } from 'vitest'
import type { Answer } from '../service/client'
import { until } from '../until'
import { ask, type SvmHarness, type SvmPurchase } from './harness'

/** The final state of a payment in the ledger. */
type SvmEnding = { state: string; success: boolean; reason: string | null; signature: string }

const OPEN = ['CLAIMED', 'PREPARED', 'BROADCAST', 'INCLUDED']

/** Whether an answer is a success. */
export const isSvmSuccess = ({ status, body }: Answer): boolean => status === 200 && body.success === true

/**
 * Expects that the payment ends with at most one success answer and one history row that agrees with the chain. Its message has one
 * signature, and its money moved at most once.
 */
export async function expectSvmSettledOnce(
  harness: SvmHarness,
  { payer, payTo }: SvmPurchase,
  answers: readonly Answer[],
  withinMs = 60_000,
): Promise<SvmEnding> {
  const { db } = harness.app
  const where = { payer: payer.address, payTo, state: { not: 'REJECTED' } }
  await until(async () => (await db.settlement.count({ where: { ...where, state: { in: OPEN } } })) === 0, 'its end', withinMs)
  const [settlement, ...others] = await db.settlement.findMany({ where, include: { svmAttempt: true } })
  const [row, ...rows] = await db.history.findMany({ where: { payTo, payer: payer.address } })
  if (!settlement?.svmAttempt || !row) throw new Error('the payment has no signature or no history row')
  expect([others.length, rows.length]).toEqual([0, 0])
  const { signature } = settlement.svmAttempt
  expect([settlement.txHash, row.txHash]).toEqual([signature, signature])

  const moved = await harness.solana.tokens(payTo)
  expect(moved).toBe(row.success ? 1_000n : 0n)
  expect(await landedWithoutError(harness, signature)).toBe(row.success)
  expect(answers.filter(isSvmSuccess).length).toBeLessThanOrEqual(1)
  if (answers.some(isSvmSuccess) && !row.success) expect(row.errorReason).toBe('settlement_reversed')
  // A 200 without success names its transaction, which may still land; refusals are allowed.
  for (const { status, body } of answers) {
    if (status === 200) expect(body).toMatchObject({ transaction: signature })
    else expect([409, 502, 503]).toContain(status)
  }
  return { state: settlement.state, success: row.success, reason: row.errorReason, signature }
}

async function landedWithoutError({ solana }: SvmHarness, signature: string): Promise<boolean> {
  type Statuses = { value: ({ err: unknown } | null)[] }
  const { value } = await ask<Statuses>(solana.url, 'getSignatureStatuses', [[signature], { searchTransactionHistory: true }])
  const [status] = value
  return status?.err === null
}
