import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { frontRun } from '../../test/support/chain/front-run'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { agentsOf, inHeader, payForCredits, sells } from '../../test/support/service/agents'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { keyHolder, left } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

let harness: Harness
let agents: ReturnType<typeof agentsOf>
const opensWith = (env: Record<string, string>) => {
  beforeAll(async () => {
    harness = await startHarness({ production: true, env: { ...sells, ...env } })
    agents = agentsOf(harness.app)
  })
  afterEach(() => goOn())
  afterAll(() => harness.close())
}

/** From now on only the test mines blocks. */
async function hold(): Promise<void> {
  await harness.chain.client.setIntervalMining({ interval: 0 })
}
async function goOn(): Promise<void> {
  await harness.chain.client.setIntervalMining({ interval: 1 })
}

type Paid = Pick<SignedPayment, 'authorization'>
const settlementOf = ({ authorization: { from } }: Paid) =>
  harness.app.db.settlement.findFirstOrThrow({ where: { payer: from.toLowerCase() } })
const inState = (payment: Paid, ...states: string[]) =>
  until(async () => states.includes((await settlementOf(payment).catch(() => null))?.state ?? ''), states.join(' or '), 60_000)
const entriesOf = async ({ authorization: { from } }: Paid) =>
  (await harness.app.db.creditEntry.findMany({ where: { wallet: from.toLowerCase() }, orderBy: { createdAt: 'asc' } })).map(
    ({ kind, delta }) => [kind, delta],
  )
const balanceNow = async ({ authorization: { from } }: Paid) => (await agents.balance(from, '?environment=testnet')).body

/** A payment of a new payer to a merchant. */
const newUse = async () => signed(await harness.payer())

/** Starts a call that sends this payment, and mines its block. */
async function inOneBlock<T>(payment: Paid, start: () => Promise<T>): Promise<T> {
  const answer = start()
  await inState(payment, 'BROADCAST')
  await harness.chain.mine(1)
  return answer
}

describe('a purchase that lands after the deadline', () => {
  opensWith({ SETTLE_DEADLINE_MS: '3000' })

  test('is a 202 with a key that cannot settle yet; it is credited once when it lands, also with retries', async () => {
    const ip = '10.7.7.7'
    const payment = await payForCredits(await harness.payer(), 100n)
    const headers = inHeader.v2(payment)
    const use = v2Body(await newUse())
    await hold()
    const first = await agents.buy(headers, { ip })
    const { api_key: key } = first.body as Record<string, string>
    expect([first.status, first.body]).toMatchObject([202, { status: 'pending', credits: 0, credits_added: 100 }])
    expect(await harness.app.db.history.count({ where: { payer: payment.authorization.from.toLowerCase() } })).toBe(0)
    const { v1 } = keyHolder(harness.app, key ?? '')
    const early = await v1.settle(use)
    expect([early.status, left(early)]).toEqual([429, { settlements: '0', verifications: '0' }])
    expect(await agents.buy(headers, { ip })).toMatchObject({ status: 202, body: { status: 'pending' } })
    expect(await agents.buy(headers, { ip: '10.7.7.8' })).toMatchObject({ status: 409 })

    await goOn()
    await inState(payment, 'INCLUDED', 'FINAL')
    expect(await v1.settle(use)).toMatchObject({ status: 200, body: { success: true } })
    const told = await agents.buy(headers, { ip })
    expect(told).toMatchObject({ status: 200, body: { status: 'paid', credits: 99 } })
    const last = await agents.buy(headers, { ip })
    expect(last).toMatchObject({ status: 409, body: { error: expect.stringContaining('POST /api/v1/agent/keys') } })
    expect([await entriesOf(payment), await balanceNow(payment)]).toMatchObject([
      [['purchase', 100n]],
      { credits_purchased: 100, credits_used: 1, credits_remaining: 99 },
    ])
    expect(await harness.app.db.history.findMany({ where: { payer: payment.authorization.from.toLowerCase() } })).toMatchObject([
      { success: true, txHash: Object(told.body).transaction },
    ])
  })
})

// Nothing times out, and finality is so deep that the test can reorganise first.
describe('a purchase that is interrupted', () => {
  opensWith({ SETTLE_DEADLINE_MS: '30000', FINALITY_DEPTH: '8' })

  test('by a client that disconnects creates no key, and is credited', async () => {
    const payment = await payForCredits(await harness.payer(), 100n)
    const hangUp = new AbortController()
    await hold()
    const abandoned = agents.buy(inHeader.v2(payment), { signal: hangUp.signal })
    await inState(payment, 'BROADCAST')
    hangUp.abort()
    expect(await abandoned).toMatchObject({ status: 503 })
    await goOn()
    await inState(payment, 'INCLUDED', 'FINAL')
    expect(await balanceNow(payment)).toMatchObject({ credits_remaining: 100, keys: [] })
    expect(await agents.newKey(payment.authorization.from)).toMatchObject({ status: 201 })
  })

  test('by a reorganisation and lands again is credited once', async () => {
    await harness.chain.mine(6)
    await hold()
    const payment = await payForCredits(await harness.payer(), 100n)
    const bought = await inOneBlock(payment, () => agents.buy(inHeader.v2(payment)))
    expect(bought).toMatchObject({ status: 200, body: { credits: 100 } })
    await harness.chain.reorganise(1)
    await inState(payment, 'BROADCAST')
    await goOn()
    await inState(payment, 'FINAL')
    expect([await entriesOf(payment), await balanceNow(payment)]).toMatchObject([
      [['purchase', 100n]],
      { credits_purchased: 100, credits_remaining: 100 },
    ])
  })

  test('by a reorganisation and a competing transfer is reversed once: the next purchase pays used credits back', async () => {
    const [use, later, payer] = [await newUse(), await newUse(), await harness.payer()]
    await harness.chain.mine(6)
    await hold()
    const payment = await payForCredits(payer, 100n)
    const { body } = await inOneBlock(payment, () => agents.buy(inHeader.v2(payment)))
    const { v1 } = keyHolder(harness.app, (body as { api_key: string }).api_key)
    await inOneBlock(use, () => v1.settle(v2Body(use)))
    expect(await balanceNow(payment)).toMatchObject({ credits_purchased: 100, credits_remaining: 99 })

    await harness.chain.reorganise(2)
    await frontRun(harness.chain, payment)
    await goOn()
    await inState(payment, 'REVERSED')
    await inState(use, 'INCLUDED', 'FINAL')
    expect(await entriesOf(payment)).toEqual([
      ['purchase', 100n],
      ['reversal', -100n],
    ])
    expect(await balanceNow(payment)).toMatchObject({
      credits_purchased: 0,
      credits_used: 1,
      credits_remaining: 0,
      verifications_remaining: 0,
      last_purchase: null,
    })
    const refused = await v1.settle(v2Body(later))
    expect([refused.status, left(refused)]).toEqual([429, { settlements: '0', verifications: '0' }])

    const next = await agents.buy(inHeader.v2(await payForCredits(payer, 100n)))
    expect(next).toMatchObject({ status: 200, body: { credits: 99, credits_added: 100 } })
    expect(await v1.settle(v2Body(later))).toMatchObject({ status: 200, body: { success: true } })
    expect(await balanceNow(payment)).toMatchObject({ credits_purchased: 100, credits_used: 2, credits_remaining: 98 })
  })
})
