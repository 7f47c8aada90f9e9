import { decodeJwt } from 'jose'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { PAY_TO, signed, v2Body } from '../../test/support/payloads/payments'
import { createPermit2Forge } from '../../test/support/permit2/permit2'
import { serveNoTokens, serveToken } from '../../test/support/permit2/tokens'
import { createUptoForge, MAXIMUM } from '../../test/support/permit2/upto'
import { startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { appWith } from '../app'

const own = fixture(async () => {
  const harness = await startHarness({ lanes: 3, env: { SPONSORED_APPROVAL_MAX: '0.001' } })
  const sponsored = createPermit2Forge(harness.chain)
  const token = await sponsored.usual()
  serveToken(token)
  const close = () => {
    serveNoTokens()
    return harness.close()
  }
  return { ...harness, forge: createUptoForge(harness.chain), sponsored, token, close }
})
const client = () => newClient(own.app)
const signers = (): Hex[] =>
  (own.env.EVM_SANDBOX_SIGNER_KEYS ?? '').split(',').map((key) => privateKeyToAccount(`0x${key.replace(/^0x/, '')}`).address)

/** The facilitator that official merchants read from /supported. */
async function advertised(): Promise<Hex> {
  const { kinds } = Object((await client().supported()).body)
  const { extra } = kinds.find(({ scheme }: { scheme: string }) => scheme === 'upto')
  return extra.facilitatorAddress
}
const paying = async (change: object = {}) => own.forge.paying({ facilitator: await advertised(), ...change })

const tokensOf = (address: Hex) => own.chain.tokens(address)
const refused = (reason: string) => ({ status: 200, body: { success: false, errorReason: reason, transaction: '' } })

describe('a payment that signs a maximum', () => {
  test('is verified at the maximum and pays the charge, which every answer names beside the maximum', async () => {
    const payment = await paying()
    const [caller, before] = [client(), await tokensOf(PAY_TO)]
    expect((await caller.verify(payment.body)).body).toEqual({ isValid: true, payer: payment.payer })
    const { status, body, headers } = await caller.settle(payment.charging(700n))
    expect([status, body]).toMatchObject([200, { success: true, amount: '700', payer: payment.payer }])
    const { transaction, extensions } = Object(body)
    expect([await tokensOf(payment.payer), (await tokensOf(PAY_TO)) - before]).toEqual([1_000_000n - 700n, 700n])
    const { from } = await own.chain.client.getTransaction({ hash: transaction })
    expect(from.toLowerCase()).toBe((await advertised()).toLowerCase())
    expect(decodeJwt(extensions['settlement-receipt'].info.receipt)).toMatchObject({ amount: '700', maximum: String(MAXIMUM) })
    const id = headers.get('x-settlement-id') ?? ''
    expect((await caller.settlements(id)).body).toMatchObject({
      settlements: [{ state: 'succeeded', amount: '700', maximum: String(MAXIMUM), transaction }],
    })
    expect(await own.app.db.history.findUnique({ where: { settlementId: id } })).toMatchObject({ success: true })
    const [row] = await own.app.db.query<{ amount: string; maximum: string }>`
      SELECT "amount"::text AS "amount", "maximum"::text AS "maximum" FROM "History" WHERE "settlementId" = ${id}::uuid`
    expect(row).toEqual({ amount: '700', maximum: String(MAXIMUM) })
  })

  test('of the official client is taken unmodified, and may be charged whole', async () => {
    const payment = await own.forge.officially({ facilitator: await advertised() })
    const caller = client()
    expect((await caller.verify(payment.body)).body).toEqual({ isValid: true, payer: payment.payer })
    expect((await caller.settle(payment.charging(MAXIMUM))).body).toMatchObject({ success: true, amount: String(MAXIMUM) })
    expect(await tokensOf(payment.payer)).toBe(1_000_000n - MAXIMUM)
  })

  test('repeated with its charge names the first transaction, and with another one what was charged', async () => {
    const payment = await paying()
    const caller = client()
    const { transaction } = Object((await caller.settle(payment.charging(700n))).body)
    expect(await caller.settle(payment.charging(700n))).toMatchObject({ status: 409, body: { transaction } })
    const other = await caller.settle(payment.charging(900n))
    expect(other).toMatchObject({ status: 409, body: { transaction, errorReason: 'duplicate_settlement' } })
    expect(Object(other.body).errorMessage).toMatch(/charge of 700,/)
    // Another caller learns neither.
    const stranger = await client().settle(payment.charging(900n))
    expect(stranger).toMatchObject({ status: 409, body: { transaction: '' } })
    expect(Object(stranger.body).errorMessage).not.toMatch(/700/)
    expect(await tokensOf(payment.payer)).toBe(1_000_000n - 700n)
  })

  test('charged twice at once moves one of the charges', async () => {
    const payment = await paying()
    const caller = client()
    const answers = await Promise.all([caller.settle(payment.charging(300n)), caller.settle(payment.charging(500n))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const won = Object(answers.find(({ status }) => status === 200)?.body)
    expect(won.success).toBe(true)
    expect(await tokensOf(payment.payer)).toBe(1_000_000n - BigInt(won.amount))
  })

  test('of which nothing is charged is a success without a transaction, and cannot be charged any more', async () => {
    const payment = await paying()
    const caller = client()
    const { status, body, headers } = await caller.settle(payment.charging(0n))
    expect([status, body]).toEqual([
      200,
      { success: true, transaction: '', network: 'eip155:84532', payer: payment.payer, amount: '0' },
    ])
    expect(await caller.settle(payment.charging(700n))).toMatchObject({ status: 409, body: { transaction: '' } })
    expect((await caller.verify(payment.body)).body).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' })
    expect(await tokensOf(payment.payer)).toBe(1_000_000n)
    const id = headers.get('x-settlement-id') ?? ''
    expect((await caller.settlements(id)).body).toMatchObject({
      settlements: [{ state: 'succeeded', amount: '0', maximum: String(MAXIMUM), transaction: '', receipt: null }],
    })
    expect(await own.app.db.settlement.findUnique({ where: { id } })).toMatchObject({ state: 'UNCHARGED', slotId: null })
  })

  test('is never charged more than was signed', async () => {
    const payment = await paying()
    expect(await client().settle(payment.charging(MAXIMUM + 1n))).toMatchObject(
      refused('invalid_upto_evm_payload_settlement_exceeds_amount'),
    )
    expect(await tokensOf(payment.payer)).toBe(1_000_000n)
    // The refusal spent nothing: the merchant may charge what was signed.
    expect((await client().settle(payment.charging(MAXIMUM))).body).toMatchObject({ success: true })
  })

  test('is charged what its payer can still pay, below the maximum', async () => {
    const payment = await paying({ balance: 800n })
    const caller = client()
    expect((await caller.verify(payment.body)).body).toMatchObject({ invalidReason: 'permit2_insufficient_balance' })
    expect(await caller.settle(payment.charging(801n))).toMatchObject(refused('permit2_insufficient_balance'))
    expect((await caller.settle(payment.charging(800n))).body).toMatchObject({ success: true, amount: '800' })
    expect(await tokensOf(payment.payer)).toBe(0n)
  })

  test('with a permit of the token over the maximum needs no approval before', async () => {
    const { sponsored, token } = own
    const payment = await paying({ token, approved: false, extensions: sponsored.permitting({ value: MAXIMUM }) })
    const caller = client()
    expect((await caller.verify(payment.body)).body).toMatchObject({ isValid: true })
    expect((await caller.settle(payment.charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await own.chain.tokens(payment.payer, token)).toBe(1_000_000n - 700n)
  })

  test('with a signed approval is charged once the approval that we pay for is mined', async () => {
    const { sponsored, token } = own
    const payment = await paying({ token, approved: false, extensions: sponsored.approving() })
    expect((await client().settle(payment.charging(700n))).body).toMatchObject({ success: true, amount: '700' })
    expect(await own.chain.tokens(payment.payer, token)).toBe(1_000_000n - 700n)
  })

  test('is explained with its facilitator and its maximum', async () => {
    const payment = await paying()
    const { checks, verdict } = Object((await client().explain({ input: JSON.stringify(payment.body) })).body)
    expect(verdict).toMatchObject({ isValid: true })
    const evidence = Object.fromEntries(checks.map((one: { name: string; evidence: string }) => [one.name, one.evidence]))
    expect(evidence.sender).toContain(await advertised())
    expect(evidence.charge).toMatch(/at most 0\.1 USDC.*nothing is charged yet/)
  })

  test('of a smart wallet is charged too', async () => {
    const payment = await paying({ wallet: true })
    expect((await client().settle(payment.charging(5n))).body).toMatchObject({ success: true, amount: '5' })
    expect(await tokensOf(payment.payer)).toBe(1_000_000n - 5n)
  })

  test('with a forged signature or other terms is judged like any other, also after a settlement', async () => {
    const payment = await paying()
    const caller = client()
    await caller.settle(payment.charging(700n))
    const body = payment.charging(700n)
    const forged = { ...body, paymentRequirements: { ...Object(body.paymentRequirements), payTo: payment.payer } }
    expect((await caller.settle(forged)).status).not.toBe(200)
  })
})

describe('the facilitator of such payments', () => {
  test('stays the same for a caller over reads, and any signer of ours settles what names it', async () => {
    const kinds = Object((await client().supported()).body).kinds
    const upto = kinds.filter(({ scheme }: { scheme: string }) => scheme === 'upto')
    expect(upto).toMatchObject([{ x402Version: 2, network: 'eip155:84532' }])
    expect(signers()).toContain(upto[0].extra.facilitatorAddress)
    expect(new Set(await Promise.all(Array.from({ length: 5 }, advertised)))).toEqual(new Set([await advertised()]))
    for (const facilitator of signers()) {
      const { transaction } = Object((await client().settle((await paying({ facilitator })).charging(10n))).body)
      expect((await own.chain.client.getTransaction({ hash: transaction })).from).toBe(facilitator.toLowerCase())
    }
  })

  test('that retires is offered no more, and still sends what names it', async () => {
    const facilitator = await advertised()
    const config = { ...own.app.config, retiringSigners: new Set([facilitator.toLowerCase()]) }
    const retiring = newClient(appWith(own.app, { config }))
    const { kinds } = Object((await retiring.supported()).body)
    const offered = kinds.flatMap(({ extra }: { extra?: { facilitatorAddress?: Hex } }) => extra?.facilitatorAddress ?? [])
    expect([offered.length, offered.includes(facilitator)]).toEqual([1, false])
    const payment = await paying({ facilitator })
    expect((await retiring.verify(payment.body)).body).toMatchObject({ isValid: true })
    expect((await retiring.settle(payment.charging(10n))).body).toMatchObject({ success: true })
  })

  test('that is no signer of ours is refused', async () => {
    const payment = await paying({ facilitator: PAY_TO })
    const caller = client()
    expect((await caller.verify(payment.body)).body).toMatchObject({ invalidReason: 'upto_facilitator_mismatch' })
    expect(await caller.settle(payment.charging(1n))).toMatchObject(refused('upto_facilitator_mismatch'))
  })
})

test('payments of both schemes in one moment are all paid', async () => {
  const payments = await Promise.all(Array.from({ length: 6 }, () => paying()))
  const exact = await Promise.all(Array.from({ length: 6 }, async () => v2Body(await signed(await own.payer()))))
  const exactly = Promise.all(exact.map((body) => client().settle(body)))
  const answers = await Promise.all(payments.map((payment, at) => client().settle(payment.charging(BigInt(at + 1)))))
  expect(answers.map(({ body }) => Object(body).amount)).toEqual(payments.map((_, at) => String(at + 1)))
  expect((await exactly).map(({ body }) => Object(body).success)).toEqual(exact.map(() => true))
})
