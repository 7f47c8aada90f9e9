import type { Hex, LocalAccount } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { createForge } from '../../test/support/payloads/forge'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { until } from '../../test/support/until'

const { harness, node } = proxiedHarness({ env: { SETTLE_DEADLINE_MS: '60000' } })

type Settling = { payment: SignedPayment; answer: ReturnType<typeof post> }

/** Holds the send of a first payment while these queue behind it: they become one transaction. */
async function settleBehind(payments: SignedPayment[], beforeMined: () => Promise<void> = async () => {}): Promise<Settling[]> {
  // A send that never gets an answer would hold the lane for four seconds only.
  const full = { error: { code: -32000, message: 'txpool is full' } }
  node.disturb(({ method }) => (method === 'eth_sendRawTransaction' ? full : undefined))
  const first = post(harness.app, 'settle', v2Body(await signed(await harness.payer())))
  await until(
    async () => (await harness.app.db.settlement.count({ where: { state: 'PREPARED' } })) === 1,
    'the first to be signed',
  )
  const settling = payments.map((payment) => ({ payment, answer: post(harness.app, 'settle', v2Body(payment)) }))
  await until(
    async () => (await harness.app.db.settlement.count({ where: { state: 'CLAIMED' } })) === payments.length,
    'the claims',
  )
  await beforeMined()
  node.disturb(() => undefined)
  expect(await first).toMatchObject({ body: { success: true } })
  return settling
}

const newPayments = (count: number, payers: LocalAccount[] = []) =>
  Promise.all(Array.from({ length: count }, async (_, at) => signed(payers[at] ?? (await harness.payer()))))

describe('payments that queue behind a send', () => {
  test('share one transaction, cost less gas each, and each is proven by its own logs', async () => {
    const payments = await newPayments(5)
    const settling = await settleBehind(payments)
    const answers = await Promise.all(settling.map(({ answer }) => answer))
    expect(answers.map(({ body }) => body.success)).toEqual([true, true, true, true, true])
    const hashes = new Set(answers.map(({ body }) => body.transaction))
    expect(hashes.size).toBe(1)
    const [hash] = hashes
    const receipt = await harness.chain.client.getTransactionReceipt({ hash: hash as Hex })
    expect(receipt.gasUsed / 5n).toBeLessThan(80_000n)
    for (const payment of payments) expect(await harness.chain.tokens(payment.authorization.from)).toBe(999_000n)
    const history = await harness.app.db.history.findMany({ where: { txHash: hash as string } })
    expect(history.map(({ success }) => success)).toEqual([true, true, true, true, true])
    expect(new Set(history.map(({ id }) => id)).size).toBe(5)
  })

  test('of one payer with money for one of them: one lands, the other fails unsigned and costs no gas', async () => {
    const payer = await harness.payer(1_000n)
    const settling = await settleBehind(await newPayments(2, [payer, payer]))
    const answers = await Promise.all(settling.map(({ answer }) => answer))
    expect(answers.map(({ status, body }) => `${status} ${body.errorReason ?? 'success'}`).sort()).toEqual([
      '200 invalid_exact_evm_insufficient_balance',
      '200 success',
    ])
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
    expect(await harness.app.db.attempt.count({ where: { succeeded: false } })).toBe(0)
  })

  test('of a payer with others in flight are judged by what those leave', async () => {
    const payer = await harness.payer(3_000n)
    const payments = await newPayments(
      30,
      Array.from({ length: 30 }, () => payer),
    )
    const answers = await Promise.all(payments.map((payment) => post(harness.app, 'settle', v2Body(payment), { ip: freshIp() })))
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(3)
    expect(new Set(answers.map(({ body }) => body.errorReason))).toEqual(
      new Set([undefined, 'invalid_exact_evm_insufficient_balance']),
    )
    const history = await harness.app.db.history.findMany({ where: { payer: payer.address.toLowerCase(), success: false } })
    expect(history.map(({ errorReason, txHash }) => [errorReason, txHash])).toEqual(
      Array.from({ length: 27 }, () => ['insufficient_funds', '']),
    )
    expect(await harness.app.db.attempt.count({ where: { succeeded: false } })).toBe(0)
    expect(await harness.app.db.settlement.count({ where: { returns: { gt: 0 } } })).toBe(0)
  })

  test("share it when one payer's new code burns all gas: that one fails alone, unsigned", async () => {
    const payments = await newPayments(5)
    const burner = payments[2]?.authorization.from ?? '0x'
    const settling = await settleBehind(payments, () => harness.chain.client.setCode({ address: burner, bytecode: '0x5b600056' }))
    const answers = await Promise.all(settling.map(({ answer }) => answer))
    expect(answers.map(({ body }) => body.success)).toEqual([true, true, false, true, true])
    // Those behind it in the simulation are looked at once more without it, not in a later transaction.
    expect(new Set(answers.map(({ body }) => body.transaction).filter(Boolean)).size).toBe(1)
    expect(await harness.app.db.attempt.count({ where: { succeeded: false } })).toBe(0)
  })

  test('do not fail when the lease of their lane expires while they queue', async () => {
    let rounds = 0
    const lapse = async () => {
      await harness.app.db.$executeRaw`UPDATE "Lane" SET "leaseUntil" = now() - interval '1 second'`
      return ++rounds > 6
    }
    const settling = await settleBehind(await newPayments(5), () =>
      until(lapse, 'rounds in which they may be taken twice', undefined, 200),
    )
    const answers = await Promise.all(settling.map(({ answer }) => answer))
    expect(answers.map(({ body }) => body.errorReason ?? body.success)).toEqual([true, true, true, true, true])
  })

  test('of a payer that has code by then are sent alone', async () => {
    const forge = createForge(harness)
    const [payment] = await newPayments(1)
    const wallet = await forge.fromWallet(payment?.authorization.to ?? '0x', 'owner')
    const [settling] = await settleBehind(payment ? [payment] : [], async () => {
      void post(harness.app, 'settle', wallet.body)
      await until(
        async () => (await harness.app.db.settlement.count({ where: { state: 'CLAIMED' } })) === 2,
        'the claim of the wallet',
      )
    })
    expect(await settling?.answer).toMatchObject({ body: { success: true } })
    await until(async () => (await harness.chain.tokens(wallet.payer)) === 999_000n, 'the wallet to have paid')
    expect(
      await harness.app.db.slot.count({
        where: { kind: 'batch', members: { some: { settlement: { payer: wallet.payer.toLowerCase() } } } },
      }),
    ).toBe(0)
  })
})

test('a batch waits for a settle request until its payment is queued, refused or joined, and no longer', async () => {
  let coming = 0
  const { arriving } = harness.app.engine
  const spy = vi.spyOn(harness.app.engine, 'arriving').mockImplementation((network) => {
    coming++
    const leave = arriving(network)
    let left = false
    return () => {
      if (!left) coming--
      left = true
      leave()
    }
  })
  const payer = await harness.payer(1_000n)
  const [good, poor] = await newPayments(2, [payer, payer])
  if (!good || !poor) throw new Error('two payments were signed')
  const [{ answer }] = (await settleBehind([good], async () => {
    // Queued, and its twin has joined it: nothing is coming while both wait for the chain.
    const twin = post(harness.app, 'settle', v2Body(good))
    await until(async () => spy.mock.calls.length === 3 && coming === 0, 'the requests to have arrived')
    void twin
  })) as [Settling]
  expect(await answer).toMatchObject({ body: { success: true } })
  expect(await post(harness.app, 'settle', v2Body(poor))).toMatchObject({ body: { success: false } })
  expect(
    await post(harness.app, 'settle', v2Body(await signed(payer), { requirements: { network: 'eip155:1' } })),
  ).not.toMatchObject({
    body: { success: true },
  })
  expect(coming).toBe(0)
  spy.mockRestore()
})
