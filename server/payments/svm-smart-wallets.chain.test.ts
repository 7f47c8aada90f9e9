import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { ready } from '../../test/support/service/harness'
import { type Answer, newClient } from '../../test/support/service/surface'
import { memoOf, PROGRAMS, someAddress } from '../../test/support/svm/forge'
import { startSvmHarness } from '../../test/support/svm/harness'
import { type SmartPurchase, smartPurchase, WALLET_AT } from '../../test/support/svm/smart-wallet'
import { until } from '../../test/support/until'
import { readPurchase } from '../agents/purchase-payment'
import { createApp } from '../boot/app'
import { readEnv } from '../env/env'

// The program of associated accounts moves money by a call of its own: the one such program that a local chain has.
const harness = fixture(() =>
  startSvmHarness({
    finalizedSlots: 4,
    env: {
      SVM_SMART_WALLETS: PROGRAMS.associatedToken,
      SETTLE_DEADLINE_MS: '8000',
      PURCHASE_PAY_TO_SOLANA: someAddress(),
    },
  }),
)
const S = 'invalid_exact_svm_smart_wallet'
const rowsOf = ({ payTo }: SmartPurchase) =>
  harness.db.history.findMany({ where: { payTo }, select: { payer: true, success: true, errorReason: true } })
const reasonOf = ({ body }: Answer): unknown => Object(body).invalidReason ?? Object(body).errorReason
const settlementOf = ({ payTo }: SmartPurchase) => harness.db.settlement.findFirst({ where: { payTo } })

describe('a payment of an allowed smart wallet', () => {
  test('is verified and settled; the payer is the owner of the money, in the answer, the lookup and history', async () => {
    const client = newClient(harness.app)
    const purchase = await smartPurchase(harness)
    const { payer, payTo, body } = purchase
    expect((await client.verify(body)).body).toEqual({ isValid: true, payer })
    const settled = await client.settle(body)
    expect(settled.body).toMatchObject({ success: true, payer, amount: '1000', extra: { payer } })
    expect(await harness.solana.tokens(payTo)).toBe(1_000n)
    expect(await rowsOf(purchase)).toEqual([{ payer, success: true, errorReason: null }])
    const looked = await client.settlements(settled.headers.get('x-settlement-id') ?? '')
    expect(looked.body).toMatchObject({ settlements: [{ state: 'succeeded', payer, pay_to: payTo }] })
  })

  test('is announced in version 2 of /supported', async () => {
    const { kinds } = (await newClient(harness.app).supported()).body as { kinds: { x402Version: number; extra: object }[] }
    expect(kinds.map(({ x402Version, extra }) => [x402Version, 'features' in extra ? extra.features : null])).toEqual([
      [2, { smartWalletSupported: true }],
      [1, null],
    ])
  })

  test('may pay more than is asked for; less is another transfer', async () => {
    const client = newClient(harness.app)
    const [more, less] = [await smartPurchase(harness, { held: 1_500n }), await smartPurchase(harness, { held: 999n })]
    expect((await client.verify(more.body)).body).toMatchObject({ isValid: true })
    expect(reasonOf(await client.verify(less.body))).toBe(`${S}_transfer_mismatch`)
  })

  test('that fails in its simulation, or makes no transfer, is refused with the reason', async () => {
    const client = newClient(harness.app)
    const twice = await smartPurchase(harness, {
      instructions: (usual) => [...usual, ...usual.slice(WALLET_AT, WALLET_AT + 1)],
    })
    const none = await smartPurchase(harness, { instructions: () => [memoOf('nothing')], signers: () => [] })
    expect(reasonOf(await client.verify(twice.body))).toBe(`${S}_simulation_failed`)
    expect(reasonOf(await client.verify(none.body))).toBe(`${S}_no_transfer_in_simulation`)
  })

  test('buys no credits: they would belong to an account that cannot sign', async () => {
    const { body } = await smartPurchase(harness)
    const value = Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64')
    expect(() => readPurchase(harness.app, { name: 'PAYMENT-SIGNATURE', value })).toThrow(/not through a smart wallet/)
  })

  test('is one at a time: while it is in flight, its payer has no other', async () => {
    const client = newClient(harness.app)
    const first = await smartPurchase(harness)
    const second = await smartPurchase(harness, { member: first.member, memo: 'another purchase' })
    await harness.solana.freeze()
    try {
      const waiting = client.settle(first.body)
      await until(async () => (await settlementOf(first))?.state === 'BROADCAST', 'the first to be sent')
      const refused = await client.settle(second.body)
      expect([refused.status, reasonOf(refused)]).toEqual([429, 'payer_queue_full'])
      await harness.solana.resume()
      expect((await waiting).body).toMatchObject({ success: true })
    } finally {
      await harness.solana.resume()
    }
  })
})

/** What the node says of landed transactions, changed until the test ends. */
function landedAs(change: (result: { meta: { innerInstructions: unknown } }) => unknown): void {
  harness.node.disturb(async ({ method, params }) => {
    if (method !== 'getTransaction') return undefined
    const { result } = await harness.node.forward(method, params)
    return { result: result && typeof result === 'object' ? change(structuredClone(result) as never) : result }
  })
}

describe("a smart wallet's transaction that landed", () => {
  test("without its transfer is no success, once it is final: it failed, and the wallet's payer is counted for it", async () => {
    landedAs((result) => ({ ...result, meta: { ...result.meta, innerInstructions: [] } }))
    try {
      const client = newClient(harness.app)
      const purchase = await smartPurchase(harness)
      const { body } = await client.settle(purchase.body)
      expect(body).toMatchObject({
        success: false,
        errorReason: 'post_settlement_transfer_not_confirmed',
        transaction: expect.stringMatching(/^\w{64,88}$/),
        payer: purchase.payer,
      })
      expect(await rowsOf(purchase)).toEqual([
        { payer: purchase.payer, success: false, errorReason: 'post_settlement_transfer_not_confirmed' },
      ])
    } finally {
      harness.node.calm()
    }
  })

  test('is not judged while no node has it, or says what it did', async () => {
    let silent = true
    const purchase = await smartPurchase(harness)
    landedAs((result) => (silent ? { ...result, meta: { ...result.meta, innerInstructions: null } } : result))
    try {
      const settling = newClient(harness.app).settle(purchase.body)
      await until(async () => (await harness.solana.tokens(purchase.payTo)) > 0n, 'the money to move')
      await harness.solana.advance(8)
      expect((await settlementOf(purchase))?.state).toBe('BROADCAST')
      silent = false
      expect((await settling).body).toMatchObject({ success: true, payer: purchase.payer })
    } finally {
      harness.node.calm()
    }
  })

  test('is confirmed by the next process, when the first one stopped before', async () => {
    const purchase = await smartPurchase(harness)
    const first = await createApp(readEnv({ ...harness.env, SETTLE_DEADLINE_MS: '1000' }), testLog())
    await ready(first)
    await harness.solana.freeze()
    try {
      expect((await newClient(first).settle(purchase.body)).body).toMatchObject({ errorReason: 'settlement_pending' })
    } finally {
      await first.close()
      await harness.solana.resume()
    }
    await until(async () => (await settlementOf(purchase))?.state !== 'BROADCAST', 'the other process to confirm it')
    expect(await rowsOf(purchase)).toEqual([{ payer: purchase.payer, success: true, errorReason: null }])
  })
})
