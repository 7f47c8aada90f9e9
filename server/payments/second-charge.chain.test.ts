import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { type Answer, newMerchant } from '../../test/support/service/surface'
import { detailsOf } from '../history/lists'

const { harness, withholdReceipts, release } = proxiedHarness({ production: true })

const PRICE = 1_000n
const fieldOf = ({ body }: Answer, name: string) => Reflect.get(Object(body), name)
const idOf = ({ headers }: Answer) => headers.get('x-settlement-id')

/** A merchant that guards, a payer with money for three payments, and a new payment of it. */
async function sale(seconds: number | null = 60) {
  const payTo: Address = privateKeyToAccount(generatePrivateKey()).address
  const { v1, tenantId } = await newMerchant(harness.app, { secondChargeSeconds: seconds })
  const payer = await harness.payer(3n * PRICE)
  const pay = async (resource = 'http://merchant.test/weather') => {
    const payment = await signed(payer, { to: payTo })
    return { nonce: payment.authorization.nonce, body: v2Body(payment, { requirements: { payTo, resource } }) }
  }
  return { v1, tenantId, pay, received: () => harness.chain.tokens(payTo) }
}

/** Settles until the answer is pending: the first request has no outcome. */
async function lose(settle: () => Promise<Answer>): Promise<Answer> {
  withholdReceipts()
  const pending = await settle()
  expect(fieldOf(pending, 'errorReason')).toBe('settlement_pending')
  release()
  return pending
}

describe('a key that guards against second charges', () => {
  test('answers a second payment with the first, whose answer was lost, and takes no money for it', async () => {
    const { v1, tenantId, pay, received } = await sale()
    const first = await pay()
    const pending = await lose(() => v1.settle(first.body))
    const second = await v1.settle((await pay()).body)
    expect([second.status, fieldOf(second, 'success')]).toEqual([200, true])
    expect([idOf(second), fieldOf(second, 'transaction')]).toEqual([idOf(pending), fieldOf(pending, 'transaction')])
    expect(fieldOf(second, 'extra').nonce).toBe(first.nonce)
    expect(await received()).toBe(PRICE)
    const { secondAt } = await harness.app.db.settlement.findUniqueOrThrow({ where: { id: idOf(second) ?? '' } })
    expect(secondAt).not.toBeNull()
    const shown = await detailsOf(harness.app, 'merchant', { tenantId }, idOf(second) ?? '')
    expect(shown.secondAt).toBe(secondAt?.toISOString())
  })

  test('takes the money of the next payment once the first was answered', async () => {
    const { v1, pay, received } = await sale()
    for (const { body } of [await pay(), await pay()]) expect(fieldOf(await v1.settle(body), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test('answers one of two payments with the lost one: the other is a purchase of its own', async () => {
    const { v1, pay, received } = await sale()
    const first = await pay()
    const pending = await lose(() => v1.settle(first.body))
    const bodies = [await pay(), await pay()]
    const answers = await Promise.all(bodies.map(({ body }) => v1.settle(body)))
    expect(answers.map((one) => fieldOf(one, 'success'))).toEqual([true, true])
    expect(answers.filter((one) => idOf(one) === idOf(pending))).toHaveLength(1)
    expect(await received()).toBe(2n * PRICE)
  })

  test('lets a payment for another resource be', async () => {
    const { v1, pay, received } = await sale()
    const first = await pay()
    await lose(() => v1.settle(first.body))
    expect(fieldOf(await v1.settle((await pay('http://merchant.test/report')).body), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test.each([null, 1])('does not guard with %s seconds after a while', async (seconds) => {
    const { v1, pay, received } = await sale(seconds)
    const first = await pay()
    await lose(() => v1.settle(first.body))
    // The lost one is a second old, and more.
    expect(fieldOf(await v1.settle((await pay()).body), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })
})
