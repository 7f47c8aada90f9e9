import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { moveTo } from '../../test/support/database/ledger'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { idempotencyHarness, newKey, said, succeeded, under } from '../../test/support/service/idempotency'
import { type Answer, historyOf, keyHolder, newClient, sentCount } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import { rotate } from '../accounts/tenants'

const { harness, fresh, merchant, rowOf, usedBy, withholdReceipts, release } = idempotencyHarness()

const settlementOf = (payer: string) => harness.app.db.settlement.findFirstOrThrow({ where: { payer } })

const whole = ({ status, body, headers }: Answer) => ({
  status,
  text: JSON.stringify(body),
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'idempotent-replayed')),
})

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
    release()
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

  test("whose response was never kept gets the first request's outcome from the ledger", async () => {
    const { payTo, body } = await fresh()
    const one = newClient(harness.app)
    const key = newKey()
    const first = await one.settle(body, under(key))
    await harness.app.db.idempotency.updateMany({ where: { key }, data: { answer: null, lockedUntil: new Date(0) } })
    const again = await one.settle(body, under(key))
    // It may be safer by now, and its receipt is signed anew.
    const { extensions: _, extra, ...outcome } = Object(first.body)
    expect([again.body, again.headers.get('x-settlement-id')]).toMatchObject([
      { ...outcome, extra: { ...extra, finality: expect.stringMatching(/^(included|safe|finalized)$/) } },
      first.headers.get('x-settlement-id'),
    ])
    expect([await usedBy(one.subject), await harness.chain.tokens(payTo)]).toEqual([1, 1_000n])
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
    release()
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

test('a stored success is not repeated once the chain has undone it', async () => {
  const { v1 } = await merchant()
  const { payer, body } = await fresh()
  const key = newKey()
  expect(succeeded(await v1.settle(body, under(key)))).toBe(true)
  await moveTo(harness.app.db, (await settlementOf(payer)).id, 'BROADCAST', 'REVERSED')
  expect((await v1.settle(body, under(key))).body).toMatchObject({ success: false, errorReason: 'settlement_reversed' })
})
