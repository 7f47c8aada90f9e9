import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { drain } from '../../test/support/chain/signers'
import { gatedHarness } from '../../test/support/nodes/gated-harness'
import { innerPayload, type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { landedBody } from '../../test/support/payloads/proof'
import { type Client, historyOf, left, newClient, sentCount } from '../../test/support/service/surface'
import { API_HEADERS } from '../http/errors'

type Json = Record<string, unknown>

const { harness, gate } = gatedHarness({ env: { LEASE_MS: '600' } })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const DUPLICATE = 'this payment was already submitted; look it up under /settlements, and sign a new one only for a new purchase'
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const client = () => newClient(harness.app)

/** A new payer's payment to a new recipient. */
async function fresh(): Promise<{ payTo: Address; payer: Address; payment: SignedPayment; body: Json }> {
  const payTo = newAddress()
  const payer = await harness.payer()
  const payment = await signed(payer, { to: payTo })
  return { payTo, payer: payer.address, payment, body: v2Body(payment, { requirements: { payTo } }) }
}

async function usageOf({ subject }: Client) {
  const usage = await harness.app.db.usage.findFirst({ where: { subject, meter: 'settlement' } })
  return { used: usage?.used ?? 0, returned: usage?.returned ?? 0 }
}

describe('POST /sandbox/settle 200', () => {
  test('moves the money, once, and says with which transaction', async () => {
    const { payTo, payer, body } = await fresh()
    const answer = await client().settle(body)
    expect([answer.status, answer.body]).toEqual([200, landedBody({ network: 'eip155:84532', payer })])
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...API_HEADERS,
      'content-type': 'application/json',
      'x-quota-limit': '1000',
      'x-quota-reset': expect.stringMatching(/^\d{10}$/),
      'x-settlement-id': expect.stringMatching(UUID),
      'x-settlement-remaining': '999',
      'x-verification-remaining': '5000',
    })
    const hash = Reflect.get(Object(answer.body), 'transaction') as Hex
    const receipt = await harness.chain.client.getTransactionReceipt({ hash })
    expect([receipt.status, receipt.to]).toEqual(['success', harness.chain.usdc.toLowerCase()])
    expect([await harness.chain.tokens(payTo), await harness.chain.tokens(payer)]).toEqual([1_000n, 999_000n])

    const rows = await historyOf(harness, payTo)
    expect(rows.map(({ amount, ...row }) => ({ ...row, amount: String(amount) }))).toEqual([
      {
        payer: payer.toLowerCase(),
        success: true,
        txHash: hash,
        errorReason: null,
        amount: '1000',
        network: 'eip155:84532',
        plan: 'sandbox',
        tenantId: '00000000-0000-0000-0000-000000000000',
      },
    ])
  })

  const forms: [string, string, (payment: SignedPayment, payTo: Address) => Json][] = [
    ['version 1', 'base-sepolia', (payment, payTo) => v1Body(payment, { requirements: { payTo } })],
    [
      'a base64 payload with a CAIP-2 network',
      'eip155:84532',
      (payment, payTo) => {
        const body = v1Body(payment, { requirements: { payTo, network: 'eip155:84532' } })
        return { paymentPayload: btoa(JSON.stringify(body.paymentPayload)), paymentRequirements: body.paymentRequirements }
      },
    ],
  ]
  test.each(forms)('in %s, echoing the network as it was written', async (_, network, bodyOf) => {
    const { payTo, payer, payment } = await fresh()
    const answer = await client().settle(bodyOf(payment, payTo))
    expect(answer.body).toEqual(landedBody({ network, payer }))
    expect(await historyOf(harness, payTo)).toMatchObject([{ network: 'eip155:84532', success: true }])
  })

  test('for exactly the minimum of 100 atomic units', async () => {
    const payTo = newAddress()
    const payment = await signed(await harness.payer(100n), { to: payTo, value: 100n })
    const answer = await client().settle(v2Body(payment, { requirements: { payTo, amount: '100' } }))
    expect(answer.body).toMatchObject({ success: true })
    expect(await harness.chain.tokens(payTo)).toBe(100n)
  })

  test('never for other terms than the payer signed, which leave the payment good for its own', async () => {
    const { payTo, payment, body } = await fresh()
    const others = [{ payTo: newAddress() }, { payTo, amount: '999' }, { payTo, amount: '1001' }]
    for (const requirements of others) {
      expect((await client().settle(v2Body(payment, { requirements }))).body).toMatchObject({ success: false, transaction: '' })
    }
    expect((await client().settle(body)).body).toMatchObject({ success: true })
    for (const requirements of others) {
      const answer = await client().settle(v2Body(payment, { requirements }))
      expect([answer.status, answer.body]).toMatchObject([409, { success: false, transaction: '' }])
    }
    expect(await harness.chain.tokens(payTo)).toBe(1_000n)
  })
})

describe('POST /sandbox/settle 409', () => {
  test('returns hash and settlement id to the caller that made it, and to no other', async () => {
    const { payer, body } = await fresh()
    const first = client()
    const settled = await first.settle(body)
    const again = await first.settle(body)
    const expected = {
      error: DUPLICATE,
      errorMessage: DUPLICATE,
      success: false,
      errorReason: 'duplicate_settlement',
      network: 'eip155:84532',
      payer,
    }
    const transaction = Reflect.get(Object(settled.body), 'transaction')
    expect([again.status, again.body]).toEqual([409, { ...expected, transaction }])
    expect(again.headers.get('x-settlement-id')).toBe(settled.headers.get('x-settlement-id'))

    const other = await client().settle(body)
    expect([other.status, other.body]).toEqual([409, { ...expected, transaction: '' }])
    expect(other.headers.has('x-settlement-id')).toBe(false)
    expect(await usageOf(first)).toEqual({ used: 1, returned: 0 })
  })

  test('for every respelling of a settled payment', async () => {
    const { payTo, payment, body } = await fresh()
    const first = client()
    await first.settle(body)
    const upper = (hex: string) => hex.toUpperCase().replace('0X', '0x')
    const inner = innerPayload(payment)
    const respelled = (changes: Json) => Object.assign({}, Object(inner.authorization), changes)
    const { signature } = payment
    const withPayload = (payload: Json) => v2Body(payment, { requirements: { payTo }, payload })
    const spellings: Json[] = [
      v1Body(payment, { requirements: { payTo } }),
      { ...body, paymentPayload: btoa(JSON.stringify(body.paymentPayload)) },
      { ...body, paymentPayload: Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64url') },
      Object.fromEntries(Object.entries(body).reverse()),
      withPayload({
        authorization: respelled({ from: upper(payment.authorization.from), nonce: upper(payment.authorization.nonce) }),
      }),
      withPayload({ authorization: respelled({ value: '01000', validAfter: '00' }) }),
      withPayload({ signature: upper(signature) }),
      withPayload({ signature: `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}` }),
      withPayload({ signature: '0x' }),
      withPayload({ signature: `${signature}${'6492'.repeat(16)}` }),
      v2Body(payment, { requirements: { payTo: upper(payTo) } }),
      v2Body(payment, { requirements: { payTo, extra: {} } }),
      { ...body, paymentRequirements: { ...Object(body.paymentRequirements), resource: 'http://merchant.test/other' } },
    ]
    for (const spelling of spellings) {
      const answer = await client().settle(spelling)
      expect([answer.status, answer.body]).toMatchObject([409, { success: false, errorReason: 'duplicate_settlement' }])
    }
    expect([await harness.chain.tokens(payTo), (await historyOf(harness, payTo)).length]).toEqual([1_000n, 1])
  })

  test('for all but one of parallel requests, each of which has its unit back', async () => {
    const { payTo, body } = await fresh()
    const clients = Array.from({ length: 12 }, client)
    const answers = await Promise.all(clients.map((one) => one.settle(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)])
    expect(answers.filter(({ body }) => Reflect.get(Object(body), 'success') === true)).toHaveLength(1)
    expect(await harness.chain.tokens(payTo)).toBe(1_000n)
    const usage = await harness.app.db.usage.findMany({ where: { subject: { in: clients.map(({ subject }) => subject) } } })
    expect(usage.reduce((sum, { used }) => sum + used, 0)).toBe(1)
    for (const { headers } of answers) expect(headers.get('x-settlement-remaining') ?? '1000').toMatch(/^(999|1000)$/)
  })
})

describe('POST /sandbox/settle 502', () => {
  test('while the node does not answer: nothing claimed, nothing written, no unit taken', async () => {
    const { payTo, payer, body } = await fresh()
    const one = client()
    const sent = await sentCount(harness)
    gate.rule(({ method }) => (method === 'eth_call' ? 'down' : null))
    const answer = await one.settle(body)
    gate.rule(() => null)
    expect([answer.status, answer.body]).toEqual([
      502,
      {
        error: 'the Base Sepolia node did not answer; nothing was sent, try again',
        success: false,
        errorReason: 'upstream_unreachable',
        errorMessage: 'the Base Sepolia node did not answer; nothing was sent, try again',
        transaction: '',
        network: 'eip155:84532',
        payer,
      },
    ])
    expect([left(answer).settlements, await usageOf(one)]).toEqual(['1000', { used: 0, returned: 0 }])
    expect([await historyOf(harness, payTo), await sentCount(harness)]).toEqual([[], sent])
    expect((await one.settle(body)).body).toMatchObject({ success: true })
  })
})

describe('POST /sandbox/settle 503', () => {
  test('while no signer can pay for gas, without taking a unit, and no longer than that', async () => {
    const { app } = harness
    const refill = await drain(harness, 'sandbox', client().settle)
    const { payTo, payer, body } = await fresh()
    const one = client()
    const answer = await one.settle(body)
    expect([answer.status, answer.body]).toEqual([
      503,
      {
        error: 'no signer on eip155:84532 can take payments now; nothing was sent, try again shortly',
        success: false,
        errorReason: 'facilitator_unavailable',
        errorMessage: 'no signer on eip155:84532 can take payments now; nothing was sent, try again shortly',
        transaction: '',
        network: 'eip155:84532',
        payer,
      },
    ])
    expect([answer.headers.get('retry-after'), left(answer).settlements]).toEqual(['2', null])
    expect([await historyOf(harness, payTo), await app.db.usage.count({ where: { subject: one.subject } })]).toEqual([[], 0])

    await refill()
    expect((await one.settle(body)).body).toMatchObject({ success: true })
  })
})
