import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createChannelForge, DEPOSIT, PRICE } from '../../test/support/batch-settlement/channels'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import type { Explanation } from './checks'

const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: 'the-secret-of-the-channels-of-these-tests' } }),
)

/** A merchant whose authorizer is kept by the service, and a channel of a payer. */
async function opened() {
  const merchant = await newMerchant(harness.app)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  const forge = createChannelForge(harness.chain, receiver, kept?.address ?? '0x')
  const who = await forge.payer()
  const deposit = await forge.deposit(who)
  const explained = async (input: unknown) => {
    const { body } = await merchant.v1.explain({ input })
    const answer: Explanation = Object(body)
    const failed = answer.checks.flatMap(({ name, status }) => (status === 'failed' ? [name] : []))
    const judged = Object((await merchant.v1.verify(input)).body)
    return { ...answer, failed, judged, check: (name: string) => answer.checks.find((one) => one.name === name) }
  }
  return { ...merchant, forge, who, deposit, explained }
}

test('a deposit and the vouchers after it are explained check by check, with the verdict of verify', async () => {
  const { v1, forge, who, deposit, explained } = await opened()
  const first = await explained(deposit.body)
  expect([first.failed, first.verdict]).toEqual([[], { isValid: true, invalidReason: null }])
  expect(first.fields.find(({ name }) => name === 'deposit')?.payment).toBe('0.01 USDC (10000)')

  const early = await explained(await forge.voucher(deposit.config, who.owner, PRICE))
  expect(early.judged.invalidReason).toBe('invalid_batch_settlement_evm_channel_not_found')
  expect([early.failed[0], early.verdict.invalidReason]).toEqual(['channel_open', early.judged.invalidReason])

  expect((await v1.settle(deposit.body)).body).toMatchObject({ success: true })
  const good = await explained(await forge.voucher(deposit.config, who.owner, 2n * PRICE))
  expect([good.failed, good.verdict, good.judged.isValid]).toEqual([[], { isValid: true, invalidReason: null }, true])
  expect(good.headline).toBe('Verify would accept this payment')
  expect(good.check('voucher_covered')?.evidence).toBe(
    'The channel has 0.01 USDC (10000), of which 0 USDC (0) are claimed. The voucher is for 0.002 USDC (2000).',
  )
  expect(good.fields.find(({ name }) => name === 'channelId')?.payment).toBe(deposit.channelId)
  const refund = await explained(await forge.voucher(deposit.config, who.owner, PRICE, { type: 'refund' }))
  expect([refund.failed, refund.verdict.isValid, refund.judged.isValid]).toEqual([[], true, true])
})

test('a voucher that verify refuses has the same reason, and names every rule that it breaks', async () => {
  const { v1, forge, who, deposit, explained } = await opened()
  expect((await v1.settle(deposit.body)).body).toMatchObject({ success: true })
  const stranger = privateKeyToAccount(generatePrivateKey())
  const bad = [
    [await forge.voucher(deposit.config, stranger, 2n * PRICE), ['signature']],
    [await forge.voucher(deposit.config, who.owner, DEPOSIT + 1n), ['voucher_covered']],
    [await forge.voucher({ ...deposit.config, withdrawDelay: 60 }, who.owner, PRICE), ['withdraw_delay', 'withdraw_delay_range']],
    [await forge.voucher({ ...deposit.config, receiver: stranger.address }, who.owner, PRICE), ['receiver']],
  ] as const
  for (const [body, failed] of bad) {
    const answer = await explained(body)
    expect(answer.failed).toEqual(failed)
    expect(answer.verdict).toEqual({ isValid: false, invalidReason: answer.judged.invalidReason })
  }
})

test('claims, refunds and payouts are judged as settle does, and nothing is signed, sent or written', async () => {
  const { v1, tenantId, forge, who, deposit, explained } = await opened()
  expect((await v1.settle(deposit.body)).body).toMatchObject({ success: true })
  const other = await forge.deposit(await forge.payer())
  const row = await forge.row(deposit.config, who.owner, PRICE)
  const bad = await forge.row(other.config, who.owner, PRICE)

  const claim = await explained(forge.claims([row, bad]))
  expect([claim.failed, claim.verdict]).toEqual([['row'], { isValid: null, invalidReason: null }])
  expect(claim.check('act')?.evidence).toBe('It would land on the newest block, over 0.001 USDC (1000).')
  expect(claim.check('row')?.evidence).toBe(`The row of the channel ${other.channelId} fails on chain: ClaimExceedsBalance.`)
  const foreign = await forge.row({ ...deposit.config, receiver: other.config.payer }, who.owner, PRICE)
  const partly = await explained(forge.claims([row, foreign]))
  expect([partly.failed, partly.check('act')?.status]).toEqual([['row'], 'passed'])
  expect(partly.check('row')?.evidence).toContain('invalid_batch_settlement_evm_receiver_mismatch')
  expect((await explained(forge.claims([foreign]))).check('act')).toMatchObject({
    status: 'failed',
    reason: 'invalid_batch_settlement_evm_receiver_mismatch',
  })
  const refund = await explained(await forge.refund(deposit.config, who.owner, PRICE, { amount: 100n, claims: [row] }))
  expect([refund.failed, refund.check('act')?.status]).toEqual([[], 'passed'])
  const sweep = await explained(forge.sweep())
  expect(sweep.check('act')).toMatchObject({
    status: 'failed',
    reason: 'invalid_batch_settlement_evm_nothing_to_settle',
  })
  expect(await harness.app.db.settlement.count({ where: { tenantId } })).toBe(1)
  expect(await harness.app.db.channelClaim.count({ where: { channelId: deposit.channelId } })).toBe(0)
})
