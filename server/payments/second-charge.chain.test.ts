import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { type Answer, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { keyHolderNow } from '../accounts/caller'
import { detailsOf } from '../history/lists'
import { answerMessage } from '../mcp/server'
import { parsePayment } from '../x402/parse'
import { settle } from './settle'

const { harness, withholdReceipts, release } = proxiedHarness({ production: true })

const PRICE = 1_000n
const fieldOf = ({ body }: Answer, name: string) => Reflect.get(Object(body), name)
const idOf = ({ headers }: Answer) => headers.get('x-settlement-id') ?? ''
const refused = (answer: Answer) => [answer.status, fieldOf(answer, 'errorReason'), fieldOf(answer, 'transaction'), idOf(answer)]
const REFUSED = [409, 'second_charge', '', '']

/** A merchant that guards, a payer with money for `payments`, and a new payment of it. */
async function sale(seconds: number | null = 60, payments = 3n) {
  const payTo: Address = privateKeyToAccount(generatePrivateKey()).address
  const { v1, tenantId, key } = await newMerchant(harness.app, { secondChargeSeconds: seconds })
  const payer = await harness.payer(payments * PRICE)
  const pay = async (resource = 'http://merchant.test/weather') =>
    v2Body(await signed(payer, { to: payTo }), { requirements: { payTo, resource } })
  /** Settles a payment in this process; `meanwhile` runs when it has been judged and is not claimed. */
  const settleSlowly = async (body: object, meanwhile: () => Promise<unknown>, hangUp = new AbortController()) => {
    const callerNow = () => keyHolderNow(harness.app, 'v1', key)
    const waiting = { hangUp: hangUp.signal, name: null, again: false }
    const claiming = async () => {
      await meanwhile()
    }
    const asked = { caller: await callerNow(), callerNow, payment: parsePayment(body), waiting, claiming, counting: () => {} }
    return settle(harness.app, asked)
  }
  return { v1, tenantId, key, pay, settleSlowly, received: () => harness.chain.tokens(payTo) }
}

const stateOf = async (id: string) => (await harness.app.db.settlement.findUniqueOrThrow({ where: { id } })).state

/** Settles until the answer is pending: no request has its outcome. */
async function pending(settle: () => Promise<Answer>): Promise<string> {
  withholdReceipts()
  const answer = await settle()
  expect(fieldOf(answer, 'errorReason')).toBe('settlement_pending')
  return idOf(answer)
}

/** The same, once its money has moved. */
async function lose(settle: () => Promise<Answer>): Promise<string> {
  const id = await pending(settle)
  release()
  await until(async () => /INCLUDED|FINAL/.test(await stateOf(id)), 'the lost payment to land', 20_000)
  return id
}

/** A webhook about this settlement that its receiver took. */
async function delivered(tenantId: string, settlementId: string): Promise<void> {
  const { ownerKind, ownerId } = await harness.app.db.tenant.findUniqueOrThrow({ where: { id: tenantId } })
  const [id, owner] = [randomUUID(), { ownerKind, ownerId }]
  await harness.app.db.webhookEndpoint.create({
    data: { id, ...owner, url: 'https://merchant.test/', events: [], secret: new Uint8Array(1) },
  })
  const outcome = { type: 'payment.settled', state: 'delivered', until: new Date() }
  await harness.app.db.webhookDelivery.create({ data: { id: randomUUID(), endpointId: id, ...owner, settlementId, ...outcome } })
}

describe('a key that guards against second charges', () => {
  test('refuses a second payment while the answer of the first is lost, and the first keeps its answer', async () => {
    // Its payer has money for one.
    const { v1, tenantId, pay, received } = await sale(60, 1n)
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    const second = await v1.settle(await pay())
    expect(refused(second)).toEqual(REFUSED)
    expect(JSON.stringify(second.body)).toContain(id)
    expect((await detailsOf(harness.app, 'merchant', { tenantId }, id)).secondAt).not.toBeNull()
    const again = await v1.settle(first)
    expect([fieldOf(again, 'success'), idOf(again)]).toEqual([true, id])
    expect(await received()).toBe(PRICE)
  })

  test('says when to ask again while the first is pending', async () => {
    const { v1, pay } = await sale()
    const first = await pay()
    await pending(() => v1.settle(first))
    const second = await v1.settle(await pay())
    release()
    expect([...refused(second), second.headers.get('retry-after')]).toEqual([...REFUSED, '2'])
  })

  test('refuses a second payment that was judged while the first was claimed', async () => {
    const { v1, pay, settleSlowly, received } = await sale()
    const [first, second] = [await pay(), await pay()]
    const slow = settleSlowly(second, () => lose(() => v1.settle(first)))
    await expect(slow).rejects.toMatchObject({ refusal: 'conflict', facts: { reason: 'second_charge' } })
    expect(await received()).toBe(PRICE)
  })

  test('of two payments at once takes the money of one', async () => {
    const { v1, pay, received } = await sale()
    const bodies = [await pay(), await pay()]
    const answers = await Promise.all(bodies.map((body) => v1.settle(body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await received()).toBe(PRICE)
  })

  test('takes no payment for its own second one when it comes twice at once', async () => {
    const { v1, pay, settleSlowly } = await sale()
    const body = await pay()
    const slow = settleSlowly(body, () => pending(() => v1.settle(body)))
    await expect(slow).rejects.toMatchObject({ refusal: 'conflict', facts: { reason: 'duplicate_settlement' } })
    release()
  })

  test('calls the first pending while a request waits for its answer', async () => {
    const { v1, pay } = await sale()
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    const data = { waiter: 'a request', waiterUntil: new Date(Date.now() + 60_000) }
    await harness.app.db.settlement.update({ where: { id }, data })
    const second = await v1.settle(await pay())
    expect([...refused(second), second.headers.get('retry-after')]).toEqual([...REFUSED, '2'])
  })

  test('still guards when the first was only explained', async () => {
    const { v1, pay } = await sale()
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    expect((await v1.explain({ input: id })).status).toBe(200)
    expect(refused(await v1.settle(await pay()))).toEqual(REFUSED)
  })

  test('takes the money of the next payment once the first was answered', async () => {
    const { v1, pay, received } = await sale()
    for (const body of [await pay(), await pay()]) expect(fieldOf(await v1.settle(body), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test('takes the money of the next payment once a lookup told the first', async () => {
    const { v1, pay, received } = await sale()
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    const second = await pay()
    expect(refused(await v1.settle(second))).toEqual(REFUSED)
    expect((await v1.settlements(id)).status).toBe(200)
    expect(fieldOf(await v1.settle(second), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test('still guards when a lookup of the signed payment only peeked', async () => {
    const { v1, pay, received } = await sale()
    const [first, second] = [await pay(), await pay()]
    const id = await lose(() => v1.settle(first))
    expect(await v1.lookUp(first, '?peek=true')).toMatchObject({ status: 200, body: { settlements: [{ id }] } })
    expect(refused(await v1.settle(second))).toEqual(REFUSED)
    expect((await v1.lookUp(first, '?peek=yes')).status).toBe(400)
    await v1.lookUp(first)
    expect(fieldOf(await v1.settle(second), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test('still guards when an agent read the first through a tool of MCP', async () => {
    const { v1, key, pay } = await sale()
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    const asking = { app: harness.app, caller: await keyHolderNow(harness.app, 'v1', key), ip: '10.0.0.1', requestId: 'an agent' }
    for (const named of [{ id }, { payment: JSON.stringify(first) }]) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'settlement_state', arguments: named } }
      const answer = await answerMessage({ ...asking, request: new Request('http://localhost/mcp', { method: 'POST' }) }, message)
      expect(await answer.text()).toContain(id)
    }
    expect(refused(await v1.settle(await pay()))).toEqual(REFUSED)
  })

  test('takes the money of the next payment once a webhook told the first', async () => {
    const { v1, tenantId, pay } = await sale()
    const first = await pay()
    const id = await lose(() => v1.settle(first))
    const second = await pay()
    expect(refused(await v1.settle(second))).toEqual(REFUSED)
    await delivered(tenantId, id)
    expect(fieldOf(await v1.settle(second), 'success')).toBe(true)
  })

  test('lets a payment for another resource be', async () => {
    const { v1, pay, received } = await sale()
    const first = await pay()
    await lose(() => v1.settle(first))
    expect(fieldOf(await v1.settle(await pay('http://merchant.test/report')), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })

  test.each([null, 1])('does not guard with %s seconds after a while', async (seconds) => {
    const { v1, pay, received } = await sale(seconds)
    const first = await pay()
    await lose(() => v1.settle(first))
    // The lost one is a second old, and more.
    expect(fieldOf(await v1.settle(await pay()), 'success')).toBe(true)
    expect(await received()).toBe(2n * PRICE)
  })
})

test('a request whose client left before the claim takes no money', async () => {
  const { pay, settleSlowly, received } = await sale(null)
  const client = new AbortController()
  const left = settleSlowly(await pay(), async () => client.abort(), client)
  await expect(left).rejects.toMatchObject({ refusal: 'unavailable', facts: { reason: 'service_unavailable' } })
  expect(await received()).toBe(0n)
})
