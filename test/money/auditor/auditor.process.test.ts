import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../../devnet/abi'
import { type Chain, startChain } from '../../../devnet/chain'
import type { SignedEip3009 } from '../../../server/x402/schemes/exact/transfers'
import { newClaimed } from '../../support/database/ledger'
import { importsOf } from '../../support/imports'
import { signed } from '../../support/payloads/payments'
import { sourcesBelow } from '../../support/source-files'
import { NO_OFFENCE } from '../audit'
import { type Audited, startAudited } from '../audited'
import type { Answered } from './description'

const LIMIT = 1_000

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

// Each test starts with one correct payment and adds one violation.
let audited: Audited
let answered: Answered
beforeEach(async () => {
  audited = await startAudited(chain)
  const payment = await newPayment()
  const [answer] = await audited.settled([payment], await transfer(payment))
  if (!answer) throw new Error('no answer')
  answered = answer
  await audited.records.printed('{"level":"info","msg":"landed"}\n')
})
afterEach(() => audited.close())

async function newPayment(): Promise<SignedEip3009> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  const { authorization, signature } = await signed(payer)
  return { method: 'eip3009', asset: chain.usdc, authorization, signature, proof: 'key' }
}

async function transfer({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }: SignedEip3009) {
  return chain.client.writeContract({
    account: privateKeyToAccount(audited.signer),
    chain: chain.client.chain,
    address: chain.usdc,
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
}

describe('the auditor', () => {
  test('finds no violation in a correct run', async () => {
    expect(await audited.audit()).toEqual(NO_OFFENCE)
  })

  test('counts a payment with two success answers', async () => {
    await audited.records.answered(answered)
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, double_success: 1 })
  })

  test('does not count the replay of a stored answer', async () => {
    await audited.records.answered({ ...answered, replayed: true })
    expect(await audited.audit()).toEqual(NO_OFFENCE)
  })

  test('counts a success answer without a transfer', async () => {
    await audited.records.answered(audited.answerFor(await newPayment(), String(answered.body.transaction)))
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a history success with a wrong amount', async () => {
    await audited.database.db.history.updateMany({ data: { amount: 2_000 } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a transfer without a history row', async () => {
    await audited.database.db.history.deleteMany()
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, transfer_without_row: 1 })
  })

  test('counts an orphaned claim', async () => {
    await newClaimed(audited.database.db, { ...audited.claimOf(await newPayment()), subject: 'ip:10.0.0.2' })
    expect(await audited.audit({ settlementMs: 0, slotMs: 60_000 })).toEqual({ ...NO_OFFENCE, orphan_claims: 1 })
  })

  test('counts a nonce gap', async () => {
    await audited.database.db.lane.updateMany({ data: { nextNonce: 2n } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts an unknown transaction', async () => {
    const account = privateKeyToAccount(audited.signer)
    await chain.client.sendTransaction({ account, chain: chain.client.chain, to: account.address, value: 0n })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts a nonce that is not used in time', async () => {
    await audited.database.db.slot.updateMany({ data: { state: 'open' } })
    expect(await audited.audit({ settlementMs: 60_000, slotMs: 0 })).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts an exceeded quota', async () => {
    await audited.database.db.usage.updateMany({ data: { used: LIMIT + 1 } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, quota_overgrant: 1 })
  })

  test('counts a payment accepted without a unit', async () => {
    await audited.database.db.usage.updateMany({ data: { used: 0 } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, quota_overgrant: 1 })
  })

  test('counts a log line with a secret, without printing the secret', async () => {
    await audited.records.printed(`{"msg":"the key is ${audited.signer.slice(2).toUpperCase()}"}\n`)
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, secrets_in_logs: 1 })
  })
})

test('the auditor shares no code with the service', () => {
  const sources = sourcesBelow('test/money/auditor').filter(({ file }) => !file.endsWith('.test.ts'))
  const foreign = sources.flatMap((source) => importsOf(source).map(({ from }) => from)).filter((from) => from.startsWith('..'))
  expect([sources.length > 0, foreign]).toEqual([true, []])
})
