import { hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { newBroadcast, newLanding } from '../../test/support/database/ledger'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { PLACE } from '../../test/support/payloads/proof'
import { newPurchase } from '../../test/support/service/purchases'
import { type Answer, left, newClient, newMerchant } from '../../test/support/service/surface'
import { recordReturned, recordUnsent } from '../ledger/statements/landings'
import { intentKeysOf } from '../x402/intent'

const { harness, withholdReceipts } = proxiedHarness({ production: true })

const lower = (address: string): `0x${string}` => `0x${address.slice(2).toLowerCase()}`
const idOf = ({ headers }: Answer) => headers.get('x-settlement-id') ?? ''
const one = (settlement: object) => ({ status: 200, body: { settlements: [settlement] } })
const NONE = { status: 404, body: { error: expect.stringContaining('none of your settlements has this') } }

describe('a caller that lost the answer', () => {
  test('finds its settlement by payer and nonce, in any letter case', async () => {
    const { body, payment } = await newPurchase(harness)
    const { v1 } = await newMerchant(harness.app)
    const settled = await v1.settle(body)
    const { from, nonce } = payment.authorization
    for (const payer of [from, from.toLowerCase()])
      expect(await v1.find({ payer, nonce })).toMatchObject(
        one({ id: idOf(settled), state: 'succeeded', amount: '1000', ...PLACE }),
      )
    expect(await v1.find({ payer: from, nonce: `0x${'00'.repeat(32)}` })).toMatchObject(NONE)
  })

  test('finds it while its outcome is not known yet, by the same names', async () => {
    const { body, payment } = await newPurchase(harness)
    const client = newClient(harness.app)
    withholdReceipts()
    const pending = await client.settle(body)
    const { from, nonce } = payment.authorization
    expect(await client.find({ payer: from, nonce })).toMatchObject(
      one({ id: idOf(pending), state: 'pending', nonce, block_number: null, log_index: null, finality: null, receipt: null }),
    )
  })

  test('finds it by transaction as before, and names the payment in exactly one way', async () => {
    const { body, payment } = await newPurchase(harness)
    const client = newClient(harness.app)
    const settled = await client.settle(body)
    const { from, nonce } = payment.authorization
    const signature = String(Object(settled.body).transaction)
    expect(await client.find({ signature })).toMatchObject(one({ id: idOf(settled) }))
    const wrong = [
      {},
      { payer: from },
      { nonce },
      { payer: from, nonce, signature },
      { signature: 'x' },
      { payer: 'x', nonce },
      ...['abc', '', '1e5', '٣', '9'.repeat(79)].map((nonce) => ({ payer: from, nonce })),
    ]
    for (const query of wrong) expect((await client.find(query)).status).toBe(400)
  })

  test('finds it by its Idempotency-Key: answered, pending, and where a crash lost the stored answer', async () => {
    const merchant = await newMerchant(harness.app)
    const headers = { 'idempotency-key': 'order-4711' }
    const query = { idempotency_key: 'order-4711' }
    expect(await merchant.v1.find(query)).toMatchObject(NONE)
    const settled = await merchant.v1.settle((await newPurchase(harness)).body, { headers })
    expect(await merchant.v1.find(query)).toMatchObject(one({ id: idOf(settled), state: 'succeeded' }))
    await harness.app.db.idempotency.updateMany({ where: { scope: `tenant:${merchant.tenantId}` }, data: { answer: null } })
    expect(await merchant.v1.find(query)).toMatchObject(one({ id: idOf(settled), state: 'succeeded' }))
    expect(await newClient(harness.app).find(query)).toMatchObject(NONE)

    withholdReceipts()
    const pending = await merchant.v1.settle((await newPurchase(harness)).body, { headers: { 'idempotency-key': 'order-2' } })
    expect(await merchant.v1.find({ idempotency_key: 'order-2' })).toMatchObject(one({ id: idOf(pending), state: 'pending' }))
    expect((await merchant.v1.find({ idempotency_key: 'two words' })).status).toBe(400)
  })

  test('finds one that could not be paid in the end, with its reason, beside the one that a retry made', async () => {
    const { body, payment } = await newPurchase(harness)
    const merchant = await newMerchant(harness.app)
    const { from, nonce } = payment.authorization
    const { db } = harness.app
    const [key = '0x'] = intentKeysOf('eip155:84532', lower(from), lower(nonce))
    const mine = { tenantId: merchant.tenantId, caller: `tenant:${merchant.tenantId}` }
    const place = await newBroadcast(db, { ...mine, intentKey: hexToBytes(key), transfer: { authorization: { nonce } } })
    await recordReturned(db, place.slotId, [place.settlementId], newLanding(place.hash))
    const reason = 'invalid_exact_evm_insufficient_balance'
    await recordUnsent(db, place.settlementId, { to: 'UNPAID', counts: 'everywhere', reason, txHash: place.hash })
    const unpaid = { id: place.settlementId, state: 'failed', reason, transaction: place.hash, nonce }
    expect(await merchant.v1.find({ payer: from, nonce })).toMatchObject(one(unpaid))
    expect(await newClient(harness.app).find({ payer: from, nonce })).toMatchObject(NONE)
    expect((await newClient(harness.app).lookUp(body)).body).toMatchObject({ settlements: [{ state: 'failed', reason }] })

    const retried = await merchant.v1.settle(body)
    expect(await merchant.v1.find({ payer: from, nonce })).toMatchObject({
      status: 200,
      body: { settlements: [unpaid, { id: idOf(retried), state: 'succeeded' }] },
    })
  })

  test('others do not find it, even if they know its names', async () => {
    const { body, payment } = await newPurchase(harness)
    const owner = newClient(harness.app)
    await owner.settle(body)
    const { from, nonce } = payment.authorization
    for (const other of [newClient(harness.app), (await newMerchant(harness.app)).v1])
      expect(await other.find({ payer: from, nonce })).toMatchObject(NONE)
  })
})

describe('anyone who holds the signed payment', () => {
  test('learns what became of it; the caller that settled it gets all', async () => {
    const { body } = await newPurchase(harness)
    const [owner, holder] = [newClient(harness.app), newClient(harness.app)]
    const settled = await owner.settle(body)
    const { transaction } = Object(settled.body)
    expect(await owner.lookUp(body)).toMatchObject(one({ id: idOf(settled), amount: '1000', ...PLACE }))
    const { receipt: _, ...place } = PLACE
    const standing = { state: 'succeeded', reason: null, transaction, network: 'eip155:84532', ...place }
    expect((await holder.lookUp(body)).body).toEqual({ settlements: [standing] })
  })

  test('needs no requirements in version 2', async () => {
    const { body } = await newPurchase(harness)
    const { paymentRequirements: _, ...alone } = body
    const client = newClient(harness.app)
    await client.settle(body)
    expect(await newClient(harness.app).lookUp(alone)).toMatchObject(one({ state: 'succeeded' }))
  })

  test('must hold it: payer and nonce with another signature find nothing', async () => {
    const { body, payment } = await newPurchase(harness)
    await newClient(harness.app).settle(body)
    const forged = v2Body({ ...payment, signature: `0x${'ab'.repeat(65)}` })
    expect(await newClient(harness.app).lookUp(forged)).toMatchObject(NONE)
  })

  test('gets a 404 for a payment that was never settled, a 400 for junk', async () => {
    const fresh = v2Body(await signed(await harness.payer()))
    const client = newClient(harness.app)
    expect(await client.lookUp(fresh)).toMatchObject(NONE)
    for (const junk of [{}, 7, { paymentPayload: 'x' }, { paymentPayload: { accepted: 1 } }])
      expect((await client.lookUp(junk)).status).toBe(400)
  })
})

describe('the extension payment-identifier', () => {
  const identified = async (id: string, purchase?: { body: object }) => {
    const { body } = purchase ?? (await newPurchase(harness))
    const { paymentPayload } = body as { paymentPayload: object }
    const extensions = { 'payment-identifier': { info: { required: false, id } } }
    return { ...body, paymentPayload: { ...paymentPayload, extensions } }
  }
  const newIdentifier = () => `pay_${crypto.randomUUID().replaceAll('-', '')}`

  test('names the settlement for its caller, and never makes a second success of it', async () => {
    const id = newIdentifier()
    const [body, client] = [await identified(id), newClient(harness.app)]
    const first = await client.settle(body)
    expect(await client.find({ payment_identifier: id })).toMatchObject(one({ id: idOf(first), state: 'succeeded' }))
    expect(await newClient(harness.app).find({ payment_identifier: id })).toMatchObject(NONE)
    const again = await client.settle(body)
    expect(again).toMatchObject({ status: 409, body: { errorReason: 'duplicate_settlement' } })
  })

  /** Another payment of this payer. */
  const paidBy = async (payer: Parameters<typeof signed>[0]) => ({ body: v2Body(await signed(payer)) })
  const CONFLICT = { status: 409, body: { errorReason: 'idempotency_conflict' } }

  test('belongs to one body of its payer; the header Idempotency-Key has its own names', async () => {
    const id = newIdentifier()
    // A key has more requests a second than an address.
    const [{ v1: client }, payer] = [await newMerchant(harness.app), await harness.payer()]
    expect(await client.settle(await identified(id, await paidBy(payer)))).toMatchObject({ body: { success: true } })
    const quota = left(await client.settle((await newPurchase(harness)).body))
    expect(await client.settle(await identified(id, await paidBy(payer)))).toMatchObject(CONFLICT)
    // Also where the first payment left too little for another.
    const all = { value: 10n ** 12n }
    const tooMuch = v2Body(await signed(payer, all), { requirements: { amount: String(all.value) } })
    expect(await client.settle(await identified(id, { body: tooMuch }))).toMatchObject(CONFLICT)
    expect(left(await client.settle((await newPurchase(harness)).body)).settlements).toBe(String(Number(quota.settlements) - 1))
    expect((await client.settle((await newPurchase(harness)).body, { headers: { 'idempotency-key': id } })).status).toBe(200)
  })

  test("of one payer is no other payer's: both settle, and both are found", async () => {
    const id = newIdentifier()
    const client = newClient(harness.app)
    const [first, second] = [await client.settle(await identified(id)), await client.settle(await identified(id))]
    expect([first, second]).toMatchObject(Array(2).fill({ status: 200, body: { success: true } }))
    const { status, body } = await client.find({ payment_identifier: id })
    expect([status, body]).toMatchObject([200, { settlements: [{ id: idOf(second) }, { id: idOf(first) }] }])
  })

  test('is not taken by who only names its payer, even while such requests come', async () => {
    const id = newIdentifier()
    const [client, victim] = [newClient(harness.app), await harness.payer()]
    const stranger = await harness.payer()
    const forged = async () => {
      const [own, foreign] = [await signed(victim), await signed(stranger)]
      return identified(id, { body: v2Body({ ...own, signature: foreign.signature }) })
    }
    const flood = await Promise.all(Array.from({ length: 4 }, forged))
    const floods = flood.map((body) => client.settle(body))
    expect(await client.settle(await identified(id, await paidBy(victim)))).toMatchObject({
      status: 200,
      body: { success: true },
    })
    for (const { body } of await Promise.all(floods)) expect(body).toMatchObject({ success: false })
  })

  test('lets one of several payments at once settle', async () => {
    const id = newIdentifier()
    const [client, payer] = [newClient(harness.app), await harness.payer()]
    const bodies = await Promise.all([1, 2, 3].map(async () => identified(id, await paidBy(payer))))
    const answers = await Promise.all(bodies.map((body) => client.settle(body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('is free again after a payment that failed, so that its client can sign a better one', async () => {
    const id = newIdentifier()
    const client = newClient(harness.app)
    const poor = await identified(id, await newPurchase(harness, { balance: 0n }))
    expect(await client.settle(poor)).toMatchObject({ status: 200, body: { success: false } })
    expect(await client.settle(await identified(id))).toMatchObject({ status: 200, body: { success: true } })
  })

  test('is free again after a refusal, which did nothing', async () => {
    const id = newIdentifier()
    const client = newClient(harness.app)
    expect((await client.settle(await identified(id, await newPurchase(harness, { value: 1n })))).status).toBe(400)
    expect(await client.settle(await identified(id))).toMatchObject({ status: 200, body: { success: true } })
  })

  test('is ignored when it is malformed', async () => {
    expect(await newClient(harness.app).settle(await identified('short'))).toMatchObject({ status: 200, body: { success: true } })
  })
})
