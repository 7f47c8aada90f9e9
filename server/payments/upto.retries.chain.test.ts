import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { PAY_TO } from '../../test/support/payloads/payments'
import { createUptoForge, type UptoPayment } from '../../test/support/permit2/upto'
import { other } from '../../test/support/permit2/verdicts'
import { type Answer, newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const { harness, withholdReceipts, release } = proxiedHarness()

const signer = (): Hex => privateKeyToAccount(`0x${harness.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`).address
const newPayment = () => createUptoForge(harness.chain).paying({ facilitator: signer() })
const left = (payment: UptoPayment) => harness.chain.tokens(payment.payer)
const field = ({ body }: Answer, name: string): unknown => Reflect.get(Object(body), name)

/** What a forger makes of the body that charges 700: each has the payer's signature, or claims to. */
const forgeries: [string, (payment: UptoPayment) => Record<string, unknown>][] = [
  ['to another payee', (payment) => asking(payment, { payTo: other.address })],
  ['in another token', (payment) => asking(payment, { asset: other.address })],
  ['for another facilitator', (payment) => signing(payment, { witness: { to: PAY_TO, facilitator: PAY_TO, validAfter: '0' } })],
  ['with a later deadline', (payment) => signing(payment, { deadline: '99999999999' })],
]

const asking = (payment: UptoPayment, change: object) => {
  const { paymentRequirements, ...body } = payment.charging(700n)
  return { ...body, paymentRequirements: { ...Object(paymentRequirements), ...change } }
}
const signing = (payment: UptoPayment, change: object) => {
  const { paymentPayload, ...body } = payment.charging(700n)
  const { payload, ...rest } = Object(paymentPayload)
  const permit2Authorization = { ...payload.permit2Authorization, ...change }
  return { ...body, paymentPayload: { ...rest, payload: { ...payload, permit2Authorization } } }
}

/** A charge of 700 that was sent and whose outcome is unknown. */
async function pendingCharge() {
  const [payment, caller] = [await newPayment(), newClient(harness.app)]
  withholdReceipts()
  const sent = await caller.settle(payment.charging(700n))
  expect(sent.body).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  return { payment, caller, transaction: field(sent, 'transaction') }
}

describe('a settle of a maximum that is repeated after its success', () => {
  test('names the first transaction and what it charged, and is no second success', async () => {
    const [payment, caller] = [await newPayment(), newClient(harness.app)]
    const transaction = field(await caller.settle(payment.charging(700n)), 'transaction')
    for (const charge of [700n, 900n, 0n]) {
      const again = await caller.settle(payment.charging(charge))
      expect([again.status, again.body]).toMatchObject([
        409,
        { success: false, errorReason: 'duplicate_settlement', transaction, amount: '700' },
      ])
    }
    expect(await left(payment)).toBe(1_000_000n - 700n)
  })

  test('tells another holder of the payment what was charged', async () => {
    const [payment, holder] = [await newPayment(), newClient(harness.app)]
    await newClient(harness.app).settle(payment.charging(700n))
    expect((await holder.lookUp(payment.charging(900n))).body).toMatchObject({
      settlements: [{ state: 'succeeded', amount: '700', maximum: '100000' }],
    })
  })

  test('under its Idempotency-Key is the first answer, and under it another charge is refused', async () => {
    const [payment, caller] = [await newPayment(), newClient(harness.app)]
    const key = { headers: { 'idempotency-key': 'order-1' } }
    const first = await caller.settle(payment.charging(700n), key)
    const again = await caller.settle(payment.charging(700n), key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
    expect((await caller.settle(payment.charging(900n), key)).body).toMatchObject({ errorReason: 'idempotency_conflict' })
    expect(await left(payment)).toBe(1_000_000n - 700n)
  })

  test.each([700n, 0n])('of nothing names no transaction, and %s cannot be charged any more', async (charge) => {
    const [payment, caller] = [await newPayment(), newClient(harness.app)]
    expect((await caller.settle(payment.charging(0n))).body).toMatchObject({ success: true, amount: '0' })
    expect(await caller.settle(payment.charging(charge))).toMatchObject({
      status: 409,
      body: { errorReason: 'duplicate_settlement', transaction: '', amount: '0' },
    })
    expect(await left(payment)).toBe(1_000_000n)
  })
})

describe('a charge whose outcome is unknown', () => {
  test('is joined by its retry, which gets the one success with the first transaction', async () => {
    const { payment, caller, transaction } = await pendingCharge()
    release()
    const answers = await Promise.all([caller.settle(payment.charging(700n)), caller.settle(payment.charging(700n))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ success: true, transaction, amount: '700' })
    expect(await left(payment)).toBe(1_000_000n - 700n)
  })

  test.each([900n, 0n])('a retry that charges %s is told the amount that was sent, not its own', async (charge) => {
    const { payment, caller, transaction } = await pendingCharge()
    expect(await caller.settle(payment.charging(charge))).toMatchObject({
      status: 409,
      body: { success: false, transaction, amount: '700' },
    })
    release()
    expect((await caller.settle(payment.charging(700n))).body).toMatchObject({ success: true, transaction, amount: '700' })
    expect(await left(payment)).toBe(1_000_000n - 700n)
  })

  test.each(forgeries)('is never a success for a forged retry %s', async (_, forged) => {
    const { payment, caller } = await pendingCharge()
    const before = await caller.settle(forged(payment))
    expect(field(before, 'success')).toBe(false)
    release()
    await until(async () => (await left(payment)) === 1_000_000n - 700n, 'the charge to move')
    expect(field(await caller.settle(forged(payment)), 'success')).toBe(false)
    // The honest retry still gets the one success.
    expect((await caller.settle(payment.charging(700n))).body).toMatchObject({ success: true, amount: '700' })
  })
})

test.each(forgeries)('a forged first settle %s is judged like any other, and moves nothing', async (_, forged) => {
  const [payment, caller] = [await newPayment(), newClient(harness.app)]
  expect(field(await caller.settle(forged(payment)), 'success')).toBe(false)
  expect(await left(payment)).toBe(1_000_000n)
  expect((await caller.settle(payment.charging(700n))).body).toMatchObject({ success: true })
})

test.each([0n, 1n])(
  'the first settle decides the charge: after a stranger charged %s, the merchant gets a refusal and serves nothing',
  async (charge) => {
    const [payment, stranger, merchant] = [await newPayment(), newClient(harness.app), newClient(harness.app)]
    expect((await merchant.verify(payment.body)).body).toMatchObject({ isValid: true })
    expect((await stranger.settle(payment.charging(charge))).body).toMatchObject({ success: true, amount: String(charge) })
    const late = await merchant.settle(payment.charging(700n))
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
    expect(field(late, 'amount')).toBeUndefined()
    expect(await left(payment)).toBe(1_000_000n - charge)
    expect((await merchant.lookUp(payment.body)).body).toMatchObject({ settlements: [{ amount: String(charge) }] })
  },
)
