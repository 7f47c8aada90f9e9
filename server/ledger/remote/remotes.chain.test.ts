import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { frontRun } from '../../../test/support/chain/front-run'
import { fixture } from '../../../test/support/fixture'
import { casesOf } from '../../../test/support/long-run'
import { startRemoteHarness } from '../../../test/support/nodes/remote-harness'
import { disturbances, lieAbout } from '../../../test/support/nodes/remote-proxy'
import { type SignedPayment, signed, v2Body } from '../../../test/support/payloads/payments'
import { landedBody } from '../../../test/support/payloads/proof'
import { HASH, newPurchase, usageOf } from '../../../test/support/service/purchases'
import { historyOf, type Merchant, newClient, newMerchant, sentCount } from '../../../test/support/service/surface'
import { until } from '../../../test/support/until'

const all = fixture(() => startRemoteHarness({ env: { SETTLE_DEADLINE_MS: '4000', FLASH_DEADLINE_MS: '4000' } }))
let merchant: Merchant
beforeAll(async () => {
  merchant = await newMerchant(all.harness.app)
})
afterEach(() => all.line.disturb(null))

const rowOf = ({ authorization: { nonce } }: SignedPayment) =>
  all.harness.app.db.settlement.findFirstOrThrow({
    where: { transfer: { path: ['authorization', 'nonce'], equals: nonce }, state: { not: 'REJECTED' } },
    include: { steps: { orderBy: { seq: 'asc' } } },
  })
const stateOf = async (payment: SignedPayment) => (await rowOf(payment)).state
/** The counts of a settlement that must be one: upstream call, transfer, success in the history. */
async function countsOf({ payment, payTo }: { payment: SignedPayment; payTo: Address }) {
  const history = await historyOf(all.harness, payTo)
  return {
    calls: all.line.settles(payment.authorization.nonce),
    paid: await all.harness.chain.tokens(payTo),
    successes: history.map(({ success }) => success),
  }
}
const ONCE = { calls: 1, paid: 1_000n, successes: [true] }
const soon = async (seconds: bigint) => (await all.harness.chain.client.getBlock()).timestamp + seconds

/** Retries the identical request until its outcome is known. */
async function repeat(settle: () => Promise<{ status: number; body: unknown }>): Promise<unknown> {
  let last: unknown
  await until(
    async () => {
      const { body } = await settle()
      last = body
      return !/settlement_pending|repeat the identical/.test(JSON.stringify(body))
    },
    'the outcome to be known',
    30_000,
    300,
  )
  return last
}

describe('a tier that another facilitator serves', () => {
  const prefixes = {
    '/sandbox': () => newClient(all.harness.app),
    '/v1/<KEY>': () => merchant.v1,
    '/v1/<KEY>/flash': () => merchant.flash,
  }
  test.each(Object.entries(prefixes))('below %s: it pays, we prove, money moves once and becomes final', async (_, endpoint) => {
    const ours = await sentCount(all.harness)
    const purchase = await newPurchase(all.harness)
    const answer = await endpoint().settle(purchase.body)
    expect([answer.status, answer.body]).toEqual([200, landedBody({ network: 'eip155:84532', payer: purchase.payer })])
    const { transaction } = Object(answer.body)
    const { from } = await all.harness.chain.client.getTransaction({ hash: transaction })
    expect([from, await sentCount(all.harness)]).toEqual([all.official.signer.toLowerCase(), ours])
    expect(await countsOf(purchase)).toEqual(ONCE)
    await until(async () => (await stateOf(purchase.payment)) === 'FINAL', 'the payment to be final', 30_000)
    expect((await rowOf(purchase.payment)).steps.map(({ to }) => to).filter((to) => to !== 'BROADCAST')).toEqual([
      'CLAIMED',
      'PREPARED',
      'INCLUDED',
      'FINAL',
    ])
    const again = await endpoint().settle(purchase.body)
    expect([again.status, await countsOf(purchase)]).toEqual([409, ONCE])
  })

  test('of two identical requests at once exactly one succeeds, by one call', async () => {
    const purchase = await newPurchase(all.harness)
    const client = newClient(all.harness.app)
    const answers = await Promise.all([client.settle(purchase.body), client.settle(purchase.body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await countsOf(purchase)).toEqual(ONCE)
  })

  test('a settlement is found by its transaction and by its id, by its caller', async () => {
    const purchase = await newPurchase(all.harness)
    const { body, headers } = await merchant.v1.settle(purchase.body)
    const id = headers.get('x-settlement-id') ?? ''
    for (const name of [id, Object(body).transaction]) {
      expect((await merchant.v1.settlements(name)).body).toMatchObject({ settlements: [{ id, state: 'succeeded' }] })
    }
  })
})

describe('when the facilitator', () => {
  const sends = Object.entries(disturbances).filter(([name]) => !/never got|before it got/.test(name))
  test.each(sends)('%s: it is a success, once, because the chain shows it', async (_, disturbance) => {
    all.line.disturb(disturbance)
    const purchase = await newPurchase(all.harness)
    const client = newClient(all.harness.app)
    expect(await repeat(() => client.settle(purchase.body))).toMatchObject({
      success: true,
      transaction: expect.stringMatching(HASH),
    })
    expect(await countsOf(purchase)).toEqual(ONCE)
    all.line.disturb(null)
    expect([(await client.settle(purchase.body)).status, await countsOf(purchase)]).toEqual([409, ONCE])
  })

  const unheard = (how: RegExp) => Object.entries(disturbances).filter(([name]) => how.test(name))
  test.each(casesOf(unheard(/before it got/), unheard(/never got/)))(
    '%s: pending with its id and no hash, failed only when it has expired unused, never called again',
    async (_, how) => {
      all.line.disturb(how)
      const { payTo, payment, body } = await expiring(12n)
      const client = newClient(all.harness.app)
      const first = await client.settle(body)
      expect([first.status, first.body]).toMatchObject([
        200,
        { success: false, errorReason: 'settlement_pending', transaction: '' },
      ])
      const id = first.headers.get('x-settlement-id') ?? ''
      expect((await client.settlements(id)).body).toMatchObject({ settlements: [{ state: 'pending', transaction: '' }] })
      expect(await historyOf(all.harness, payTo)).toEqual([])
      all.line.disturb(null)
      await until(async () => (await stateOf(payment)) === 'EXPIRED', 'the payment to expire', 60_000)
      expect((await all.harness.chain.client.getBlock()).timestamp).toBeGreaterThan(payment.authorization.validBefore)
      expect(await historyOf(all.harness, payTo)).toMatchObject([{ success: false, txHash: '' }])
      expect([all.line.settles(payment.authorization.nonce), await all.harness.chain.tokens(payTo)]).toEqual([1, 0n])
      expect((await client.settle(body)).body).toMatchObject({ success: false, transaction: '' })
    },
  )

  test('reports success with the hash of another payment: never a success', async () => {
    const other = await newPurchase(all.harness)
    const { transaction } = Object((await merchant.v1.settle(other.body)).body)
    all.line.disturb(lieAbout(transaction))
    const { payTo, payment, body } = await expiring(12n)
    const client = newClient(all.harness.app)
    expect((await client.settle(body)).body).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    await until(async () => (await stateOf(payment)) === 'EXPIRED', 'the payment to expire', 60_000)
    expect([await historyOf(all.harness, payTo), await all.harness.chain.tokens(payTo)]).toMatchObject([[{ success: false }], 0n])
  })

  test('does nothing and another sender uses the authorization: used elsewhere, never a success', async () => {
    all.line.disturb(lieAbout(`0x${'12'.repeat(32)}`))
    const purchase = await newPurchase(all.harness)
    const client = newClient(all.harness.app)
    const settling = client.settle(purchase.body)
    await until(() => all.line.settles(purchase.payment.authorization.nonce) === 1, 'the call')
    const hash = await frontRun(all.harness.chain, purchase.payment)
    await settling
    await until(async () => (await stateOf(purchase.payment)) === 'USED_ELSEWHERE', 'the failure to be recorded', 30_000)
    expect(await historyOf(all.harness, purchase.payTo)).toMatchObject([
      { success: false, txHash: hash, errorReason: 'authorization_used_elsewhere' },
    ])
  })

  test('cannot be reached: 502, the unit comes back, the intent is free, and later it is paid', async () => {
    const purchase = await newPurchase(all.harness)
    const client = newClient(all.harness.app)
    await all.line.down()
    const refused = await client.settle(purchase.body)
    await all.line.up()
    const message = 'the facilitator that serves this tier cannot be reached; nothing was sent, try again'
    expect([refused.status, refused.body]).toEqual([
      502,
      {
        error: message,
        success: false,
        errorReason: 'upstream_unreachable',
        errorMessage: message,
        transaction: '',
        network: 'eip155:84532',
        payer: purchase.payer,
      },
    ])
    expect([refused.headers.get('x-settlement-remaining'), await usageOf(all.harness.app, client.subject)]).toEqual([
      '1000',
      { used: 0, returned: 1 },
    ])
    const paid = await repeat(async () => {
      const answer = await client.settle(purchase.body)
      return answer.status === 502 ? { status: 502, body: 'settlement_pending' } : answer
    })
    expect(paid).toMatchObject({ success: true })
    expect(await countsOf(purchase)).toEqual(ONCE)
  })
})

async function expiring(seconds: bigint) {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const payment = await signed(await all.harness.payer(), { to: payTo, validBefore: await soon(seconds) })
  return { payTo, payment, body: v2Body(payment, { requirements: { payTo } }) }
}
