import { describe, expect, test } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { newPurchase, refused, routes, traces, usageOf } from '../../test/support/service/purchases'
import {
  type Answer,
  historyOf,
  keyHolder,
  left,
  type Merchant,
  newClient,
  newMerchant,
} from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { reconfigure, rotate } from '../accounts/tenants'

const { harness, node: proxy } = proxiedHarness({ production: true })

const DUPLICATE = 'this payment was already submitted; look it up under /settlements, and sign a new one only for a new purchase'
const field = ({ body }: Answer, name: string): unknown => Reflect.get(Object(body), name)
const succeeded = (answers: Answer[]) => answers.filter((answer) => field(answer, 'success') === true)
const usage = ({ subject }: { subject: string }) => usageOf(harness.app, subject)

/** A payment that a merchant has settled. */
async function settled(merchant: Merchant) {
  const purchase = await newPurchase(harness)
  const answer = await merchant.v1.settle(purchase.body)
  expect(answer.body).toMatchObject({ success: true })
  const facts = { network: 'eip155:84532', payer: purchase.payer }
  return { ...purchase, answer, facts, before: await traces(harness) }
}

describe('POST /v1/<KEY>/settle 409', () => {
  test('again with the same key, a rotated one or below flash: with hash and settlement id, for no unit', async () => {
    const merchant = await newMerchant(harness.app)
    const { body, answer, facts, before } = await settled(merchant)
    const rotated = keyHolder(harness.app, (await rotate(harness.app, merchant.tenantId, 3_600)).secret)
    for (const endpoint of [merchant.v1, merchant.flash, rotated.v1, rotated.flash]) {
      const again = await endpoint.settle(body)
      const transaction = field(answer, 'transaction')
      expect([again.status, again.body]).toEqual([
        409,
        refused('settle', DUPLICATE, 'duplicate_settlement', { ...facts, transaction }),
      ])
      expect(again.headers.get('x-settlement-id')).toBe(answer.headers.get('x-settlement-id'))
    }
    expect([await traces(harness), await usage(merchant)]).toEqual([before, { used: 1, returned: 0 }])
  })

  test('of another tenant, also of the same owner, and below the sandbox: without hash or id, for no unit', async () => {
    const owner = { kind: 'oidc', id: 'owner of two' }
    const { body, facts, before } = await settled(await newMerchant(harness.app, { owner }))
    const [sibling, other, client] = [
      await newMerchant(harness.app, { owner }),
      await newMerchant(harness.app),
      newClient(harness.app),
    ]
    for (const endpoint of [sibling.v1, sibling.flash, other.v1, other.flash, client]) {
      const again = await endpoint.settle(body)
      expect([again.status, again.body]).toEqual([409, refused('settle', DUPLICATE, 'duplicate_settlement', facts)])
      expect(again.headers.has('x-settlement-id')).toBe(false)
    }
    expect(await traces(harness)).toEqual(before)
    for (const one of [sibling, other, client]) expect(await usage(one)).toEqual({ used: 0, returned: 0 })
  })

  test("of the sandbox's payment under a key: without hash or id", async () => {
    const { payer, body } = await newPurchase(harness)
    expect((await newClient(harness.app).settle(body)).body).toMatchObject({ success: true })
    const again = await (await newMerchant(harness.app)).v1.settle(body)
    const facts = { network: 'eip155:84532', payer }
    expect([again.status, again.body]).toEqual([409, refused('settle', DUPLICATE, 'duplicate_settlement', facts)])
  })

  test('with any guardrail set since: a caller that lost the response still finds it', async () => {
    const merchant = await newMerchant(harness.app)
    const { body, answer } = await settled(merchant)
    await reconfigure(harness.app, merchant.tenantId, { maxAmount: 1n })
    await harness.app.keyring.findAgain(merchant.key)
    const again = await merchant.v1.settle(body)
    expect([again.status, field(again, 'transaction')]).toEqual([409, field(answer, 'transaction')])
  })

  test('is what verify calls a failed payment, below every prefix and for no unit', async () => {
    const merchant = await newMerchant(harness.app)
    const { body, payer } = await settled(merchant)
    for (const endpoint of [merchant.v1, (await newMerchant(harness.app)).v1, newClient(harness.app)]) {
      expect((await endpoint.verify(body)).body).toEqual({
        isValid: false,
        invalidReason: 'duplicate_settlement',
        invalidMessage: 'This payment was already submitted.',
        payer,
      })
    }
    expect(await usageOf(harness.app, merchant.subject, 'verify')).toEqual({ used: 0, returned: 0 })
  })
})

describe('parallel settles of one payment', () => {
  test.each(routes)(
    'a %s whose judgement comes after another has landed reports a duplicate, not of a used nonce',
    async (route) => {
      const [slow, quick] = [await newMerchant(harness.app), await newMerchant(harness.app)]
      const { payTo, payer, body } = await newPurchase(harness)
      let waiting = 0
      let open = () => {}
      const opened = new Promise<undefined>((resolve) => {
        open = () => resolve(undefined)
      })
      const held = () => {
        waiting++
        return opened
      }
      proxy.disturb(({ method }) => (method === 'eth_call' ? held() : undefined))
      const late = slow.v1[route](body)
      await until(() => waiting > 0, 'the slow one to be judged')
      proxy.disturb(() => undefined)
      expect((await quick.v1.settle(body)).body).toMatchObject({ success: true })
      open()
      const { status, body: answer } = await late
      if (route === 'settle') {
        const facts = { network: 'eip155:84532', payer }
        expect([status, answer]).toEqual([409, refused('settle', DUPLICATE, 'duplicate_settlement', facts)])
        expect(await usage(slow)).toEqual({ used: 0, returned: 0 })
      } else expect([status, answer]).toMatchObject([200, { isValid: false, invalidReason: 'duplicate_settlement', payer }])
      expect(await historyOf(harness, payTo)).toMatchObject([{ success: true, tenantId: quick.tenantId }])
    },
  )

  test('one that looked before the other claimed, and is judged when its time is over, reports a duplicate', async () => {
    const { payTo, payer, body } = await newPurchase(harness)
    const { app } = harness
    let waiting = false
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    // The first read of the ledger, without a claim, is two hours old when it is used.
    const query = async (...asked: unknown[]) => {
      const rows: unknown = await Reflect.apply(app.db.query, app.db, asked)
      const isFirst = !waiting
      waiting = true
      if (isFirst) await opened
      return rows
    }
    const db = new Proxy(app.db, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)) })
    const late = newClient({ ...app, db, now: () => new Date(Date.now() + 7_200_000) }).settle(body)
    await until(() => waiting, 'the slow one to look')
    expect((await newClient(app).settle(body)).body).toMatchObject({ success: true })
    open()
    const { status, body: answer } = await late
    const facts = { network: 'eip155:84532', payer }
    expect([status, answer]).toEqual([409, refused('settle', DUPLICATE, 'duplicate_settlement', facts)])
    expect(await historyOf(harness, payTo)).toMatchObject([{ success: true }])
  })

  test('50 through two keys of a tenant: one success, and no other takes a unit', async () => {
    const merchant = await newMerchant(harness.app, { plan: 'scale' })
    const rotated = keyHolder(harness.app, (await rotate(harness.app, merchant.tenantId, 3_600)).secret)
    const { payTo, body } = await newPurchase(harness)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? merchant : rotated).v1.settle(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)])
    expect(succeeded(answers)).toHaveLength(1)
    expect(await harness.chain.tokens(payTo)).toBe(1_000n)
    expect(await historyOf(harness, payTo)).toHaveLength(1)
    expect((await usage(merchant)).used).toBe(1)
  })

  test('60 through tenants and the sandbox: one success, and only its maker has lost a unit', async () => {
    const merchants = await Promise.all([1, 2, 3].map(() => newMerchant(harness.app)))
    const clients = Array.from({ length: 15 }, () => newClient(harness.app))
    const endpoints = [...Array.from({ length: 45 }, (_, at) => merchants[at % 3]?.v1), ...clients]
    const { payTo, body } = await newPurchase(harness)
    const answers = (await Promise.all(endpoints.map((endpoint) => endpoint?.settle(body)))).filter((one) => one !== undefined)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(59).fill(409)])
    expect(succeeded(answers)).toHaveLength(1)
    expect([await harness.chain.tokens(payTo), (await historyOf(harness, payTo)).length]).toEqual([1_000n, 1])
    const used = await Promise.all([...merchants, ...clients].map(async (one) => (await usage(one)).used))
    expect(used.reduce((sum, one) => sum + one, 0)).toBe(1)
  })

  test('cost the one that claims a unit, and use up none of those that may come back', async () => {
    const merchant = await newMerchant(harness.app, { plan: 'scale', settlementQuota: 30 })
    const { body } = await newPurchase(harness)
    const answers = await Promise.all(Array.from({ length: 20 }, () => merchant.v1.settle(body)))
    expect(succeeded(answers)).toHaveLength(1)
    expect(await usage(merchant)).toEqual({ used: 1, returned: 0 })
    const remaining = answers.map((answer) => left(answer).settlements).filter((settlements) => settlements !== null)
    expect(remaining.every((settlements) => settlements === '29' || settlements === '30')).toBe(true)
  })
})
