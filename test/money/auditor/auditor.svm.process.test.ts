import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../../support/fixture'
import { freshIp, post } from '../../support/service/client'
import { type SvmPurchase, startSvmHarness } from '../../support/svm/harness'
import { isSvmSuccess } from '../../support/svm/settled-once'
import { NO_OFFENCE, newRecords, type Records } from '../audit'
import { answeredOf } from '../kill/svm'
import type { Answered } from './description'

const LIMIT = 1_000

const harness = fixture(startSvmHarness)

// The payments are correct. Each test adds one violation and removes it again.
let records: Records
let answered: Answered
let purchase: SvmPurchase
const everyAnswer: Answered[] = []
beforeEach(async () => {
  records = await newRecords()
  purchase = await harness.purchase()
  const ip = freshIp()
  const answer = await post(harness.app, 'settle', purchase.body, { ip })
  expect(isSvmSuccess(answer)).toBe(true)
  answered = answeredOf(harness.solana, { ...purchase, ip }, answer)
  everyAnswer.push(answered)
  for (const one of everyAnswer) await records.answered(one)
})
afterEach(() => records.remove())

async function audit() {
  const { network, url: rpcUrl, mint: usdc } = harness.solana
  const { counts } = await records.audit({
    databaseUrl: harness.database.url,
    chains: [{ network, rpcUrl, usdc, sponsors: harness.feePayers.map(({ address }) => address) }],
    secrets: harness.feePayers.map(({ secret }) => secret),
    quotas: { ip: LIMIT },
    bounds: { settlementMs: 60_000, slotMs: 60_000 },
  })
  return counts
}

describe('the auditor of payments on Solana', () => {
  test('finds no violation in a correct run', async () => {
    expect(await audit()).toEqual(NO_OFFENCE)
  })

  test('counts a payment with two success answers', async () => {
    await records.answered(answered)
    expect(await audit()).toEqual({ ...NO_OFFENCE, double_success: 1 })
  })

  test('counts a success answer for a transfer to another recipient', async () => {
    const other = await harness.purchase()
    await records.answered({ ...answered, payer: other.payer.address, nonce: `0x${'7'.repeat(64)}` })
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a history success whose recipient differs in letter case', async () => {
    const where = { payTo: purchase.payTo }
    await harness.db.history.updateMany({ where, data: { payTo: purchase.payTo.toLowerCase() } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
    await harness.db.history.updateMany({ where: { payTo: purchase.payTo.toLowerCase() }, data: where })
  })

  test('counts a paid transaction that the ledger does not know', async () => {
    const { db } = harness
    const [attempt] = await db.svmAttempt.findMany({ where: { settlement: { payTo: purchase.payTo } } })
    if (!attempt) throw new Error('nothing was signed')
    await db.svmAttempt.delete({ where: { signature: attempt.signature } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
    await db.svmAttempt.create({ data: attempt })
  })

  test('counts a transfer without a history row', async () => {
    await harness.db.history.deleteMany({ where: { payTo: purchase.payTo } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, transfer_without_row: 1 })
  })
})
