import { describe, expect, test } from 'vitest'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { idempotencyHarness, newKey, said, succeeded, under } from '../../test/support/service/idempotency'
import { type Endpoint, historyOf, newClient, sentCount } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { createLog } from '../base/log'
import { listen } from '../db/notices'

const { harness, node, fresh, merchant, rowOf, usedBy, withholdReceipts, release } = idempotencyHarness()

describe('a refusal', () => {
  const terms = async (requirements: Record<string, unknown>) => {
    const value = BigInt(String(requirements.amount ?? '1000'))
    return v2Body(await signed(await harness.payer(), { value }), { requirements })
  }
  const refusals: [number, string, object, (one: { v1: Endpoint; flash: Endpoint }) => Endpoint, Record<string, unknown>][] = [
    [400, 'an amount below the minimum', {}, ({ v1 }) => v1, { amount: '99' }],
    [403, "an amount above the tenant's maximum", { maxAmount: 999n }, ({ v1 }) => v1, {}],
    [403, 'a plan without flash', { plan: 'free' }, ({ flash }) => flash, {}],
    [429, 'a spent quota', { settlementQuota: 0 }, ({ v1 }) => v1, {}],
    [503, 'a network that is not configured', {}, ({ flash }) => flash, {}],
  ]
  test.each(refusals)(
    '%i for %s is not kept: its key is free, also for another body',
    async (status, _, settings, below, asked) => {
      const one = await merchant(settings)
      const key = newKey()
      for (let round = 0; round < 2; round++) {
        const body = await terms(asked)
        expect((await below(one).settle(body, under(key))).status).toBe(status)
        expect(await rowOf(key)).toBeNull()
        expect((await below(one).settle(body, under(key))).status).toBe(status)
      }
      const { body } = await fresh()
      if (status === 400) expect(succeeded(await one.v1.settle(body, under(key)))).toBe(true)
    },
  )

  test('502 of a node that is away leaves the key for the same request, which then acts', async () => {
    const { body } = await fresh()
    const one = await merchant()
    const key = newKey()
    node.disturb(({ method }) => (method === 'eth_call' ? 'cut' : undefined))
    expect([(await one.v1.settle(body, under(key))).status, await rowOf(key)]).toEqual([502, null])
    node.disturb(() => undefined)
    expect(succeeded(await one.v1.settle(body, under(key)))).toBe(true)
  })

  test("of a repetition leaves its first request's outcome available", async () => {
    const { payer, body } = await fresh()
    const one = await merchant()
    const key = newKey()
    withholdReceipts()
    expect(said(await one.v1.settle(body, under(key)))).toEqual([200, 'settlement_pending'])
    const another = await listen(harness.database.url, { instance: 'another', onNotice: () => {} }, createLog('silent'))
    await harness.app.db.settlement.updateMany({
      where: { payer },
      data: { waiter: 'another', waiterUntil: new Date(Date.now() + 60_000) },
    })
    expect(said(await one.v1.settle(body, under(key)))).toEqual([409, 'duplicate_settlement'])
    await harness.app.db.settlement.updateMany({ where: { payer }, data: { waiter: null, waiterUntil: null } })
    await another.close()
    release()
    expect(succeeded(await one.v1.settle(body, under(key)))).toBe(true)
  })
})

describe('409', () => {
  test('for another body under a used key, which says so and is not sent', async () => {
    const one = newClient(harness.app)
    const key = newKey()
    await one.settle((await fresh()).body, under(key))
    const other = await fresh()
    const answer = await one.settle(other.body, under(key))
    expect([answer.status, answer.body, answer.headers.get('retry-after')]).toMatchObject([
      409,
      {
        error: 'this Idempotency-Key was used with another body; use a new key for another request',
        success: false,
        transaction: '',
      },
      null,
    ])
    expect([said(answer), await historyOf(harness, other.payTo)]).toEqual([[409, 'idempotency_conflict'], []])
    expect(succeeded(await one.settle(other.body, under(newKey())))).toBe(true)
  })

  test('with Retry-After while the first still runs', async () => {
    const { body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    let letGo = () => {}
    const held = new Promise<undefined>((resolve) => {
      letGo = () => resolve(undefined)
    })
    node.disturb(({ method }) => (method === 'eth_call' ? held : undefined))
    const first = one.settle(body, under(key))
    await until(async () => (await rowOf(key)) !== null, 'the first to begin')
    const impatient = await one.settle(body, under(key))
    expect([said(impatient), impatient.headers.get('retry-after')]).toEqual([[409, 'idempotency_conflict'], '2'])
    expect(said(await one.settle((await fresh()).body, under(key)))).toEqual([409, 'idempotency_conflict'])
    letGo()
    expect(succeeded(await first)).toBe(true)
    expect((await one.settle(body, under(key))).headers.get('idempotent-replayed')).toBe('true')
  })

  test('for all but one of twenty parallel requests with one key, unless they get its response', async () => {
    const { payTo, body } = await fresh()
    const one = await merchant()
    const key = newKey()
    const sent = await sentCount(harness)
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.v1.settle(body, under(key))))
    const acted = answers.filter((answer) => succeeded(answer) && !answer.headers.has('idempotent-replayed'))
    expect(acted).toHaveLength(1)
    for (const answer of answers.filter((answer) => !succeeded(answer)))
      expect(said(answer)).toEqual([409, 'idempotency_conflict'])
    expect([await usedBy(one.subject), await sentCount(harness), await harness.chain.tokens(payTo)]).toEqual([
      1,
      sent + 1,
      1_000n,
    ])
  })
})

describe('400', () => {
  test.each([
    ['an empty key', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a blank inside', 'a b'],
    ['two keys', 'a, b'],
    ['a control character', 'a\u0001'],
    ['a character that is not ASCII', 'ké'],
    ['DEL', 'a\u007f'],
  ])('for %s, which changes nothing', async (_, key) => {
    const { payTo, body } = await fresh()
    const one = newClient(harness.app)
    const answer = await one.settle(body, under(key))
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: 'Idempotency-Key must be 1 to 255 visible ASCII characters', success: false, errorReason: 'invalid_request' },
    ])
    expect([await usedBy(one.subject), await historyOf(harness, payTo)]).toEqual([0, []])
  })

  test('not for the longest key there may be', async () => {
    const one = newClient(harness.app)
    expect(succeeded(await one.settle((await fresh()).body, under('~'.repeat(255))))).toBe(true)
  })
})
