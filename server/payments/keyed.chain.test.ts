import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { mixedBody, onBase } from '../../test/support/payloads/bodies'
import { type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { landedBody } from '../../test/support/payloads/proof'
import { startHarness } from '../../test/support/service/harness'
import { newAddress, newPurchase, usageOf } from '../../test/support/service/purchases'
import { historyOf, newClient, newMerchant } from '../../test/support/service/surface'
import { API_HEADERS } from '../http/errors'

type Json = Record<string, unknown>

const harness = fixture(() => startHarness({ production: true, base: true, env: { KYT: 'off' } }))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The headers of every metered answer of a merchant with the plan growth. */
const metered = (changes: Json) => ({
  ...API_HEADERS,
  'content-type': 'application/json',
  'x-quota-reset': expect.stringMatching(/^\d{10}$/),
  'x-settlement-remaining': '100000',
  'x-verification-remaining': '500000',
  ...changes,
})

const hashOf = (body: unknown) => Reflect.get(Object(body), 'transaction') as Hex

/** The one signer of a class, in lower case. */
function signerOf(laneClass: 'production' | 'sandbox'): string {
  return harness.app.networks.get('eip155:84532')?.signers[laneClass].join().toLowerCase() ?? ''
}

async function senderOf(body: unknown, { client } = harness.chain): Promise<string> {
  return (await client.getTransactionReceipt({ hash: hashOf(body) })).from.toLowerCase()
}

describe('POST /v1/<KEY>/verify 200', () => {
  test("for a good payment, for one unit of the key's own quota, and writes nothing", async () => {
    const { payTo, payer, body } = await newPurchase(harness)
    const merchant = await newMerchant(harness.app)
    const answer = await merchant.v1.verify(body)
    expect([answer.status, answer.body]).toEqual([200, { isValid: true, payer }])
    expect(Object.fromEntries(answer.headers)).toEqual(
      metered({ 'x-quota-limit': '500000', 'x-verification-remaining': '499999' }),
    )
    expect(await historyOf(harness, payTo)).toEqual([])
    expect(await harness.app.db.settlement.count({ where: { tenantId: merchant.tenantId } })).toBe(0)
    expect(await usageOf(harness.app, merchant.subject, 'verify')).toEqual({ used: 1, returned: 0 })
  })

  test('says what is wrong with a payment', async () => {
    const { payer, body } = await newPurchase(harness, { balance: 999n })
    expect((await (await newMerchant(harness.app)).v1.verify(body)).body).toEqual({
      isValid: false,
      invalidReason: 'invalid_exact_evm_insufficient_balance',
      invalidMessage: expect.any(String),
      payer,
    })
  })
})

describe('POST /v1/<KEY>/settle 200', () => {
  test("moves the money, with a history row of the key's tenant, owner and plan", async () => {
    const { payTo, payer, body } = await newPurchase(harness)
    const owner = { kind: 'oidc', id: 'the-owner' }
    const merchant = await newMerchant(harness.app, { owner, plan: 'starter' })
    const answer = await merchant.v1.settle(body)
    expect([answer.status, answer.body]).toEqual([200, landedBody({ network: 'eip155:84532', payer })])
    expect(Object.fromEntries(answer.headers)).toEqual(
      metered({
        'x-quota-limit': '10000',
        'x-settlement-id': expect.stringMatching(UUID),
        'x-settlement-remaining': '9999',
        'x-verification-remaining': '50000',
      }),
    )
    expect([await harness.chain.tokens(payTo), await harness.chain.tokens(payer)]).toEqual([1_000n, 999_000n])

    const [row, ...more] = await harness.app.db.history.findMany({ where: { payTo: payTo.toLowerCase() } })
    expect(more).toEqual([])
    expect({ ...row, amount: String(row?.amount) }).toMatchObject({
      ownerKind: 'oidc',
      ownerId: 'the-owner',
      tenantId: merchant.tenantId,
      plan: 'starter',
      payer: payer.toLowerCase(),
      network: 'eip155:84532',
      resource: 'http://merchant.test/weather',
      amount: '1000',
      success: true,
      txHash: hashOf(answer.body),
      errorReason: null,
    })
  })

  const forms: [string, string, (payment: SignedPayment, payTo: Address) => Json][] = [
    ['version 1', 'base-sepolia', (payment, payTo) => v1Body(payment, { requirements: { payTo } })],
    [
      'a base64 payload with a CAIP-2 network',
      'eip155:84532',
      (payment, payTo) => {
        const body = mixedBody(payment)
        return { ...body, paymentRequirements: { ...Object(body.paymentRequirements), payTo } }
      },
    ],
  ]
  test.each(forms)('in %s, echoing the network as it was written', async (_, network, bodyOf) => {
    const { payTo, payer, payment } = await newPurchase(harness)
    const answer = await (await newMerchant(harness.app)).v1.settle(bodyOf(payment, payTo))
    expect(answer.body).toEqual(landedBody({ network, payer }))
    expect(await historyOf(harness, payTo)).toMatchObject([{ network: 'eip155:84532', success: true, plan: 'growth' }])
  })

  test("sent by the production signer; the sandbox's own goes on serving the sandbox", async () => {
    const merchant = await newMerchant(harness.app)
    const keyed = await merchant.v1.settle((await newPurchase(harness)).body)
    const sandbox = await newClient(harness.app).settle((await newPurchase(harness)).body)
    expect([await senderOf(keyed.body), await senderOf(sandbox.body)]).toEqual([signerOf('production'), signerOf('sandbox')])
    expect(signerOf('production')).not.toBe(signerOf('sandbox'))
    expect(await usageOf(harness.app, merchant.subject)).toEqual({ used: 1, returned: 0 })
  })

  test('for a payment that fails its judgement: the reason, a row of the tenant, and the unit back where the payer lacks the money', async () => {
    const { payTo, payer, body } = await newPurchase(harness, { balance: 999n })
    const merchant = await newMerchant(harness.app)
    const answer = await merchant.v1.settle(body)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { success: false, errorReason: 'invalid_exact_evm_insufficient_balance', transaction: '', payer },
    ])
    expect(await historyOf(harness, payTo)).toMatchObject([
      { success: false, errorReason: 'insufficient_funds', plan: 'growth', tenantId: merchant.tenantId, txHash: '' },
    ])
    expect(await usageOf(harness.app, merchant.subject)).toEqual({ used: 0, returned: 0 })
  })
})

describe('POST /v1/<KEY>/settle 200 on Base', () => {
  /** A payment of USDC on Base. */
  async function onMainnet() {
    const payTo = newAddress()
    const payer = await harness.payer(0n)
    await harness.base().mint(payer.address, 1_000_000n)
    const payment = await signed(payer, { to: payTo }, 8453)
    return { payTo, payer: payer.address, payment }
  }

  const spellings: [string, (payment: SignedPayment, payTo: Address) => Json][] = [
    ['eip155:8453', (payment, payTo) => v2Body(payment, { requirements: { ...onBase, payTo } })],
    [
      'base',
      (payment, payTo) => {
        const requirements = { ...onBase, network: 'base', payTo }
        return v1Body(payment, { requirements, payload: { network: 'base' } })
      },
    ],
  ]
  test.each(spellings)('written %s: moves the money there, sent by the production signer', async (network, bodyOf) => {
    const { payTo, payer, payment } = await onMainnet()
    const merchant = await newMerchant(harness.app)
    expect((await merchant.v1.verify(bodyOf(payment, payTo))).body).toEqual({ isValid: true, payer })
    const answer = await merchant.v1.settle(bodyOf(payment, payTo))
    expect([answer.status, answer.body]).toEqual([200, landedBody({ network, payer })])
    expect([await harness.base().tokens(payTo), await harness.chain.tokens(payTo)]).toEqual([1_000n, 0n])
    expect(await senderOf(answer.body, harness.base())).toBe(signerOf('production'))
    expect(await historyOf(harness, payTo)).toMatchObject([
      { network: 'eip155:8453', success: true, tenantId: merchant.tenantId },
    ])
  })

  test('never for a signature about the testnet, nor the other way round', async () => {
    const merchant = await newMerchant(harness.app)
    const there = await onMainnet()
    const here = await newPurchase(harness)
    const bodies = [
      v2Body(there.payment, { requirements: { payTo: there.payTo } }),
      v2Body(here.payment, { requirements: { ...onBase, payTo: here.payTo } }),
    ]
    for (const body of bodies) {
      expect((await merchant.v1.settle(body)).body).toMatchObject({
        success: false,
        errorReason: 'invalid_exact_evm_signature',
        transaction: '',
      })
    }
  })
})
