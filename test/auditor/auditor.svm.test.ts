import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE, newRecords, type Records } from '../audit'
import { freshIp, post } from '../client'
import { type SvmHarness, type SvmPurchase, startSvmHarness } from '../svm-harness'
import { answeredOf } from '../svm-kills'
import { isSvmSuccess } from '../svm-settled-once'
import type { Answered } from './description'

const LIMIT = 1_000

let harness: SvmHarness
beforeAll(async () => {
  harness = await startSvmHarness()
})
afterAll(() => harness.close())

// Each test has payments that went as they should, and takes back the offence that it adds to them.
let records: Records
let told: Answered
let purchase: SvmPurchase
const everyAnswer: Answered[] = []
beforeEach(async () => {
  records = await newRecords()
  purchase = await harness.purchase()
  const ip = freshIp()
  const answer = await post(harness.app, 'settle', purchase.body, { ip })
  expect(isSvmSuccess(answer)).toBe(true)
  told = answeredOf(harness.solana.network, { ...purchase, ip }, answer)
  everyAnswer.push(told)
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
  test('finds nothing where nothing is wrong', async () => {
    expect(await audit()).toEqual(NO_OFFENCE)
  })

  test('counts a payment whose success two requests were told', async () => {
    await records.answered(told)
    expect(await audit()).toEqual({ ...NO_OFFENCE, double_success: 1 })
  })

  test('counts a success that was told of a transfer to somebody else', async () => {
    const other = await harness.purchase()
    await records.answered({ ...told, payer: other.payer.address, nonce: `0x${'7'.repeat(64)}` })
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a success in the history that names its shop in other letters', async () => {
    const where = { payTo: purchase.payTo }
    await harness.db.history.updateMany({ where, data: { payTo: purchase.payTo.toLowerCase() } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
    await harness.db.history.updateMany({ where: { payTo: purchase.payTo.toLowerCase() }, data: where })
  })

  test('counts a transaction that a fee payer has paid for and the ledger does not know', async () => {
    const { db } = harness
    const [attempt] = await db.svmAttempt.findMany({ where: { settlement: { payTo: purchase.payTo } } })
    if (!attempt) throw new Error('nothing was signed')
    await db.svmAttempt.delete({ where: { signature: attempt.signature } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
    await db.svmAttempt.create({ data: attempt })
  })

  test('counts a transfer that no history row tells of', async () => {
    await harness.db.history.deleteMany({ where: { payTo: purchase.payTo } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, transfer_without_row: 1 })
  })
})
