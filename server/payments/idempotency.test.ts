import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { signed, until, v2Body } from '../../test/harness'
import { moveTo } from '../../test/ledger'
import { proxiedHarness } from '../../test/proxied-harness'
import { type Answer, type Endpoint, historyOf, keyHolder, newClient, newMerchant, sentCount } from '../../test/surface'
import { rotate } from '../accounts/tenants'

const { harness, node } = proxiedHarness({ production: true, env: { SETTLE_DEADLINE_MS: '1500' } })

/** A payment to a new recipient by a payer who has this much. */
async function fresh(balance = 1_000n) {
  const payTo: Address = privateKeyToAccount(generatePrivateKey()).address
  const payer = await harness.payer(balance)
  const body = v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } })
  return { payTo, payer: payer.address.toLowerCase(), body }
}

const newKey = () => randomUUID()
const under = (key: string) => ({ headers: { 'idempotency-key': key } })
const merchant = (settings = {}) => newMerchant(harness.app, { rps: 1_000, ...settings })
const rowOf = (key: string) => harness.app.db.idempotency.findFirst({ where: { key } })
const usedBy = async (subject: string) =>
  (await harness.app.db.usage.findFirst({ where: { subject, meter: 'settlement' } }))?.used ?? 0
const settlementOf = (payer: string) => harness.app.db.settlement.findFirstOrThrow({ where: { payer } })
const said = ({ status, body }: Answer) => [status, Reflect.get(Object(body), 'errorReason')]
const succeeded = ({ body }: Answer) => Reflect.get(Object(body), 'success') === true
const whole = ({ status, body, headers }: Answer) => ({
  ...{ status, text: JSON.stringify(body) },
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'idempotent-replayed')),
})
const withholdReceipts = () =>
  node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
const landed = (payer: string) =>
  until(async () => ['INCLUDED', 'FINAL'].includes((await settlementOf(payer)).state), 'the payment to land')

/** Asks, repeats and compares: the same to the byte, marked as a repetition. */
async function repeats(ask: () => Promise<Answer>): Promise<Answer> {
  const first = await ask()
  const again = await ask()
  expect(whole(again)).toEqual(whole(first))
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
  expect(again.headers.get('x-settlement-id')).toMatch(/^[0-9a-f-]{36}$/)
  return again
}

describe('a repetition', () => {
  test('of a success gets its answer to the byte, and nothing is counted, sent or written again', async () => {
    const { payTo, body } = await fresh()
    const one = newClient(harness.app)
    const sent = await sentCount(harness)
    expect(await repeats(() => one.settle(body, under('order-7')))).toMatchObject({ status: 200, body: { success: true } })
    expect([await usedBy(one.subject), await sentCount(harness)]).toEqual([1, sent + 1])
    expect([await harness.chain.tokens(payTo), await historyOf(harness, payTo)]).toMatchObject([1_000n, [{ success: true }]])
  })

  test('of a failure on the chain, and of one by its form, gets the same response, with one row', async () => {
    const poor = await fresh(0n)
    const one = await merchant()
    const key = newKey()
    expect(said(await repeats(() => one.v1.settle(poor.body, under(key))))).toEqual([
      200,
      'invalid_exact_evm_insufficient_balance',
    ])
    expect([await usedBy(one.subject), (await historyOf(harness, poor.payTo)).length]).toEqual([0, 1])

    const payTo = privateKeyToAccount(generatePrivateKey()).address
    const short = v2Body(await signed(await harness.payer(), { to: payTo }), { requirements: { payTo, amount: '2000' } })
    const other = newKey()
    const answer = await repeats(() => one.v1.settle(short, under(other)))
    expect(answer).toMatchObject({ status: 200, body: { success: false } })
    expect([await usedBy(one.subject), (await historyOf(harness, payTo)).length]).toEqual([1, 1])
  })

  test('of a pending answer joins the wait, and its outcome is what is kept', async () => {
    const { payTo, payer, body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    withholdReceipts()
    const pending = await one.settle(body, under(key))
    expect([said(pending), await rowOf(key)]).toMatchObject([[200, 'settlement_pending'], { answer: null }])
    const joining = one.settle(body, under(key))
    await until(async () => (await settlementOf(payer)).waiter !== null, 'the repetition to wait')
    node.disturb(() => undefined)
    const joined = await joining
    expect([succeeded(joined), joined.headers.get('idempotent-replayed')]).toEqual([true, null])
    expect(joined.headers.get('x-settlement-id')).toBe(pending.headers.get('x-settlement-id'))
    const third = await one.settle(body, under(key))
    expect([whole(third), third.headers.get('idempotent-replayed')]).toEqual([whole(joined), 'true'])
    expect([await usedBy(one.subject), (await historyOf(harness, payTo)).length]).toEqual([1, 1])
  })

  test('of a payment that failed after its claim gets the same failure', async () => {
    const { payer, body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    withholdReceipts()
    expect(said(await one.settle(body, under(key)))).toEqual([200, 'settlement_pending'])
    await moveTo(harness.app.db, (await settlementOf(payer)).id, 'REVERTED')
    expect(await repeats(() => one.settle(body, under(key)))).toMatchObject({ status: 200, body: { success: false } })
  })

  test('with a rotated key of the same tenant is the same request', async () => {
    const { body } = await fresh()
    const one = await merchant()
    const key = newKey()
    const first = await one.v1.settle(body, under(key))
    const { secret } = await rotate(harness.app, one.tenantId, 60)
    const again = await keyHolder(harness.app, secret).v1.settle(body, under(key))
    expect([whole(again), again.headers.get('idempotent-replayed')]).toEqual([whole(first), 'true'])
  })

  test('a day later is a new request: the payment was settled already', async () => {
    const { body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    expect(succeeded(await one.settle(body, under(key)))).toBe(true)
    await harness.app.db.idempotency.updateMany({
      where: { key },
      data: { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1_000) },
    })
    expect(said(await one.settle(body, under(key)))).toEqual([409, 'duplicate_settlement'])
  })

  test('whose response was never kept gets the first request’s outcome from the ledger', async () => {
    const { payTo, body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    const first = await one.settle(body, under(key))
    await harness.app.db.idempotency.updateMany({ where: { key }, data: { answer: null, lockedUntil: new Date(0) } })
    const again = await one.settle(body, under(key))
    expect([again.body, again.headers.get('x-settlement-id')]).toEqual([first.body, first.headers.get('x-settlement-id')])
    expect([await usedBy(one.subject), await harness.chain.tokens(payTo)]).toEqual([1, 1_000n])
  })
})

describe('a refusal', () => {
  const terms = async (requirements: Record<string, unknown>) => {
    const value = BigInt(String(requirements.amount ?? '1000'))
    return v2Body(await signed(await harness.payer(), { value }), { requirements })
  }
  const refusals: [number, string, object, (one: { v1: Endpoint; flash: Endpoint }) => Endpoint, Record<string, unknown>][] = [
    [400, 'an amount below the minimum', {}, ({ v1 }) => v1, { amount: '99' }],
    [403, 'an amount above the tenant’s maximum', { maxAmount: 999n }, ({ v1 }) => v1, {}],
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

  test('of a repetition leaves its first request’s outcome available', async () => {
    const { payer, body } = await fresh()
    const one = await merchant()
    const key = newKey()
    withholdReceipts()
    expect(said(await one.v1.settle(body, under(key)))).toEqual([200, 'settlement_pending'])
    await harness.app.db.settlement.updateMany({
      where: { payer },
      data: { waiter: 'another', waiterUntil: new Date(Date.now() + 60_000) },
    })
    expect(said(await one.v1.settle(body, under(key)))).toEqual([409, 'duplicate_settlement'])
    await harness.app.db.settlement.updateMany({ where: { payer }, data: { waiter: null, waiterUntil: null } })
    node.disturb(() => undefined)
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

describe('one payment under two keys', () => {
  test.each([
    ['another key', () => under(newKey())],
    ['no key', () => ({})],
  ])('has one success: %s got it, and the first key gets a conflict', async (_, other) => {
    const { payer, body } = await fresh()
    const one = await merchant()
    const key = newKey()
    withholdReceipts()
    expect(said(await one.v1.settle(body, under(key)))).toEqual([200, 'settlement_pending'])
    node.disturb(() => undefined)
    await landed(payer)
    expect(succeeded(await one.v1.settle(body, other()))).toBe(true)
    const late = await one.v1.settle(body, under(key))
    expect([said(late), Reflect.get(Object(late.body), 'transaction')]).toEqual([
      [409, 'duplicate_settlement'],
      (await settlementOf(payer)).txHash,
    ])
  })
})

describe('a key belongs to its caller', () => {
  test('other tenants and other addresses of the sandbox have their own', async () => {
    const key = newKey()
    const callers = [(await merchant()).v1, (await merchant()).v1, newClient(harness.app), newClient(harness.app)]
    for (const caller of callers) {
      const answer = await caller.settle((await fresh()).body, under(key))
      expect([succeeded(answer), answer.headers.get('idempotent-replayed')]).toEqual([true, null])
    }
  })

  test('and to its prefix: below another one the same body is another request', async () => {
    const { body } = await fresh()
    const one = await merchant()
    const key = newKey()
    expect(succeeded(await one.v1.settle(body, under(key)))).toBe(true)
    expect(said(await one.flash.settle(body, under(key)))).toEqual([409, 'idempotency_conflict'])
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

test('a stored success is not repeated once the chain has undone it', async () => {
  const { v1 } = await merchant()
  const { payer, body } = await fresh()
  const key = newKey()
  expect(succeeded(await v1.settle(body, under(key)))).toBe(true)
  await moveTo(harness.app.db, (await settlementOf(payer)).id, 'BROADCAST', 'REVERSED')
  expect((await v1.settle(body, under(key))).body).toMatchObject({ success: false, errorReason: 'settlement_reversed' })
})
