import { base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { RECEIPT } from '../../test/support/payloads/proof'
import { freshIp, post } from '../../test/support/service/client'
import { keyHolder, newClient, newMerchant } from '../../test/support/service/surface'
import { svmV2Body } from '../../test/support/svm/forge'
import { type SvmPurchase, startSvmHarness } from '../../test/support/svm/harness'
import { RECEIPT_SCHEMA } from '../x402/receipt-extension'

const harness = fixture(() => startSvmHarness({ mainnet: true }))

const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
/** Two signatures, and 20,000 compute units at one micro-lamport. */
const FEE = 10_001n
const historyOf = (payTo: string) =>
  harness.app.db.history.findMany({ where: { payTo }, select: { payer: true, success: true, txHash: true, errorReason: true } })

describe('a payment on Solana devnet', () => {
  test("is settled: the money moves, the history says so, the fee is the tenant's", async () => {
    const { payer, payTo, body } = await harness.purchase()
    const { status, headers, body: answer } = await post(harness.app, 'settle', body)
    expect([status, answer]).toEqual([
      200,
      {
        success: true,
        transaction: expect.stringMatching(SIGNATURE),
        network: harness.solana.network,
        payer: payer.address,
        amount: '1000',
        extra: {
          blockNumber: expect.any(Number),
          payer: payer.address,
          finality: expect.stringMatching(/^(included|finalized)$/),
        },
        extensions: { 'settlement-receipt': { info: { receipt: RECEIPT }, schema: RECEIPT_SCHEMA } },
      },
    ])
    expect([await harness.solana.tokens(payTo), await harness.solana.tokens(payer.address)]).toEqual([1_000n, 999_000n])
    expect(await historyOf(payTo)).toEqual([
      { payer: payer.address, success: true, txHash: answer.transaction, errorReason: null },
    ])
    const [spend] = await harness.app.db.sponsorSpend.findMany({ where: { network: harness.solana.network } })
    expect(spend?.spent.toFixed()).toBe(FEE.toString())
    expect(headers.get('x-settlement-remaining')).toBe('999')
  })

  test.each([
    { form: 'a v0 transaction in a v2 body', version: 0, body: 'body', memo: undefined },
    { form: 'a legacy transaction in a v2 body', version: 'legacy', body: 'body', memo: undefined },
    { form: 'a v0 transaction of a legacy client, without a memo', version: 0, body: 'v1Body', memo: null },
    { form: 'a legacy transaction in a v1 body', version: 'legacy', body: 'v1Body', memo: null },
  ] as const)('is taken as $form, and its network is echoed as it was written', async ({ version, body, memo }) => {
    const purchase = await harness.purchase({ version, ...(memo === null ? { memo } : {}) })
    const network = body === 'body' ? harness.solana.network : 'solana-devnet'
    const payer = purchase.payer.address
    expect((await post(harness.app, 'verify', purchase[body])).body).toEqual({ isValid: true, payer })
    expect((await post(harness.app, 'settle', purchase[body])).body).toMatchObject({ success: true, network, payer })
    expect(await harness.solana.tokens(purchase.payTo)).toBe(1_000n)
  })

  test('is found by its signature and by its settlement id, by its own caller alone', async () => {
    const client = newClient(harness.app)
    const { body, payTo } = await harness.purchase()
    const settled = await client.settle(body)
    const { transaction } = settled.body as { transaction: string }
    for (const name of [transaction, settled.headers.get('x-settlement-id') ?? '']) {
      expect((await client.settlements(name)).body).toMatchObject({
        settlements: [{ state: 'succeeded', transaction, pay_to: payTo }],
      })
    }
    expect((await newClient(harness.app).settlements(transaction)).status).toBe(404)
  })
})

describe('verify', () => {
  test('signs nothing and sends nothing; a node that simulates never sees a signature of ours, settle included', async () => {
    const { body } = await harness.purchase()
    const simulated: string[] = []
    harness.node.disturb((call) => {
      if (call.method === 'simulateTransaction') simulated.push(String(call.params[0]))
      return undefined
    })
    const sends = () => harness.node.seen.filter((method) => method === 'sendTransaction').length
    const before = sends()
    expect((await post(harness.app, 'verify', body)).body).toMatchObject({ isValid: true })
    expect(sends()).toBe(before)
    expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: true })
    harness.node.calm()
    expect(
      simulated.map((raw) =>
        base64
          .decode(raw)
          .subarray(1, 65)
          .every((byte) => byte === 0),
      ),
    ).toEqual([true, true])
  })

  test('reports a settled payment as submitted, with any bytes in its free slots', async () => {
    const purchase = await harness.purchase()
    await post(harness.app, 'settle', purchase.body)
    for (const body of [purchase.body, ...respelled(purchase)]) {
      expect((await post(harness.app, 'verify', body)).body).toMatchObject({
        isValid: false,
        invalidReason: 'duplicate_settlement',
      })
    }
  })
})

/** The same signed message with other bytes around it. */
function respelled({ transaction, feePayer, payTo }: SvmPurchase): Record<string, unknown>[] {
  const scribbled = base64.decode(transaction)
  scribbled.fill(7, 1, 65)
  return [base64.encode(scribbled), transaction.replace(/=+$/, '')].map((raw) => svmV2Body(raw, { feePayer, payTo }))
}

describe('one signed message', () => {
  test('that is settled three times at once is one success and two conflicts, and moves money once', async () => {
    const { body, payTo } = await harness.purchase()
    const answers = await Promise.all([1, 2, 3].map(() => post(harness.app, 'settle', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.filter((answer) => answer.body.success === true)).toHaveLength(1)
    expect(await harness.solana.tokens(payTo)).toBe(1_000n)
  })

  test('is no second success in another spelling, for another recipient or from another caller', async () => {
    const purchase = await harness.purchase()
    const ip = freshIp()
    expect((await post(harness.app, 'settle', purchase.body, { ip })).body).toMatchObject({ success: true })
    const elsewhere = svmV2Body(purchase.transaction, { ...purchase, payTo: await harness.recipient() })
    const cheaper = svmV2Body(purchase.transaction, { ...purchase, amount: 999n })
    for (const body of [purchase.body, elsewhere, cheaper])
      expect(await post(harness.app, 'settle', body, { ip })).toMatchObject({ status: 409, body: { success: false } })
    for (const body of [purchase.body, purchase.v1Body, elsewhere, cheaper, ...respelled(purchase)])
      expect(await post(harness.app, 'settle', body)).toMatchObject({ status: 409, body: { success: false, transaction: '' } })
    expect(await harness.solana.tokens(purchase.payTo)).toBe(1_000n)
  })

  test('of which two differ only in their memo is two payments', async () => {
    const payer = await harness.payer()
    const payTo = await harness.recipient()
    const [first, second] = [await harness.purchase({ payer, payTo }), await harness.purchase({ payer, payTo })]
    for (const { body } of [first, second])
      expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: true })
    expect(await harness.solana.tokens(payTo)).toBe(2_000n)
  })
})

describe('a key', () => {
  test('settles on Solana below /v1 and below /flash, and not on its devnet', async () => {
    const on = harness.mainnet()
    const { v1, flash } = await newMerchant(harness.app)
    const [feePayer = ''] = harness.app.networks.get(on.network)?.signers.production ?? []
    for (const endpoint of [v1, flash]) {
      const { body, payTo, payer } = await harness.purchase({ on, feePayer })
      expect((await endpoint.verify(body)).body).toEqual({ isValid: true, payer: payer.address })
      expect((await endpoint.settle(body)).body).toMatchObject({ success: true, network: on.network })
      expect(await on.tokens(payTo)).toBe(1_000n)
    }
    const devnet = await harness.purchase()
    expect((await v1.settle(devnet.body)).status).toBe(403)
    expect((await keyHolder(harness.app, 'qt_wrong').v1.settle(devnet.body)).status).toBe(401)
  })

  test('settles below /flash above the unconfirmed limit, because Solana has no preconfirmations', async () => {
    const on = harness.mainnet()
    const { flash } = await newMerchant(harness.app)
    const [feePayer = ''] = harness.app.networks.get(on.network)?.signers.production ?? []
    const amount = 10_000_000_001n
    const { body } = await harness.purchase({ on, feePayer, amount, balance: amount })
    expect((await flash.settle(body)).body).toMatchObject({ success: true })
  })

  test('does not settle in the sandbox what is of mainnet', async () => {
    const on = harness.mainnet()
    const [feePayer = ''] = harness.app.networks.get(on.network)?.signers.production ?? []
    const { body } = await harness.purchase({ on, feePayer })
    expect((await post(harness.app, 'settle', body)).status).toBe(403)
  })
})

describe('a payment that is no payment', () => {
  test('from a wallet to itself is refused', async () => {
    const payer = await harness.payer()
    const { body } = await harness.purchase({ payer, payTo: payer.address })
    expect(await post(harness.app, 'settle', body)).toMatchObject({ status: 400, body: { errorReason: 'invalid_payment' } })
  })

  test('below the minimum is refused', async () => {
    const { body } = await harness.purchase({ amount: 99n })
    expect(await post(harness.app, 'settle', body)).toMatchObject({ status: 400 })
  })
})
