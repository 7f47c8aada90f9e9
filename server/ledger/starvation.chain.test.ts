import { rm } from 'node:fs/promises'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frontRun } from '../../test/support/chain/front-run'
import { embeddedFolder } from '../../test/support/database/embedded'
import { casesOf } from '../../test/support/long-run'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { createDraining } from '../../test/support/service/draining'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'

/** An authorization that never expires. */
const FOREVER = 2n ** 256n - 1n
/** What a transfer that fails inside a batch may burn. */
const GAS_OF_FAILED_MEMBER = 60_000n
const LEFT =
  /^The payer's money left before the block: transaction 0x[0-9a-f]{64} was mined without this payment\. The same signed payment may be sent again\.$/

describe.each(casesOf(['PostgreSQL'], ['the embedded database']))('on %s', (database) => {
  let harness: Harness
  let folder: string | null = null
  beforeAll(async () => {
    folder = database === 'PostgreSQL' ? null : await embeddedFolder()
    const embedded = folder === null ? {} : { DATABASE_URL: '', DATA_DIR: folder, ALLOW_EMBEDDED_MAINNET: '1' }
    harness = await startHarness({
      production: true,
      base: true,
      blockTimeSeconds: 1,
      // A busy machine needs longer than the usual deadline for 180 payments at once.
      env: { FINALITY_DEPTH: '3', KYT: 'off', SETTLE_DEADLINE_MS: '60000', ...embedded },
    })
  })
  afterAll(async () => {
    await harness.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const { pause, goOn, stateCount, busy, settle, settleAndDrain } = createDraining(() => harness)

  test('a payment whose payer spent the money before the block fails within the deadline, and the same one settles once when the money is back', async () => {
    const merchant = await busy()
    const payer = await harness.payer(1_000n)
    const others = await Promise.all([harness.payer(), harness.payer(), harness.payer()])
    const payment = await signed(payer, { validBefore: FOREVER })
    const payments = [...(await Promise.all(others.map((one) => signed(one)))), payment]
    const answers = await Promise.all(await settleAndDrain(merchant, payments, [payer]))
    const failed = answers.pop()
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect(failed).toMatchObject({
      status: 200,
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
      errorMessage: expect.stringMatching(LEFT),
    })
    expect(failed?.errorMessage).toContain(failed?.transaction)

    const { body } = await merchant.v1.settlements(String(failed?.transaction))
    const found = (body as { settlements: { payer: string; state: string; message: string }[] }).settlements
    expect(found.find((one) => one.payer === payer.address)).toMatchObject({ state: 'failed', message: failed?.errorMessage })
    expect(await harness.app.db.history.findMany({ where: { payer: payer.address.toLowerCase() } })).toMatchObject([
      { success: false, errorReason: 'insufficient_funds', txHash: failed?.transaction },
    ])

    await harness.chain.mint(payer.address, 1_000n)
    const again = await settle(merchant, payment)
    expect(again).toMatchObject({ success: true })
    expect(await settle(merchant, payment)).toMatchObject({ status: 409 })
    expect(await harness.chain.tokens(payer.address)).toBe(0n)
  })

  test('payers that withdraw their money block no one: they fail and are paused, others are served, on every network', async () => {
    const victim = await busy()
    const attackers = await Promise.all([harness.payer(60_000n), harness.payer(60_000n), harness.payer(60_000n)])
    const payments = await Promise.all(
      attackers.flatMap((attacker) => Array.from({ length: 60 }, () => signed(attacker, { validBefore: FOREVER }))),
    )
    const attack = await settleAndDrain(victim, payments, attackers)
    // While the attack is in the air: a customer of the same merchant, on the same network and on another one.
    const customer = await harness.payer()
    const onBase = await harness.base().mint(customer.address, 5_000n)
    expect(onBase).toBeUndefined()
    const base = {
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    }
    const [here, there] = await Promise.all([
      settle(victim, await signed(customer)),
      settle(victim, ...(await paidOnBase(customer, base))),
    ])
    expect([here, there]).toMatchObject([{ success: true }, { success: true }])
    expect(await harness.app.db.payerFailure.count({ where: { tenantId: victim.tenantId } })).toBe(0)

    const ended = await Promise.all(attack)
    expect(new Set(ended.map(({ status, success, errorReason }) => `${status} ${success} ${errorReason}`))).toEqual(
      new Set(['200 false invalid_exact_evm_insufficient_balance']),
    )
    expect(ended.every(({ errorMessage }) => LEFT.test(String(errorMessage)))).toBe(true)
    expect(await stateCount(victim.tenantId, 'UNPAID')).toBe(180)
    expect(
      await harness.app.db.settlement.count({
        where: { tenantId: victim.tenantId, state: { in: ['CLAIMED', 'PREPARED', 'BROADCAST'] } },
      }),
    ).toBe(0)

    // The attackers are paused here; new payers of this merchant go alone and are served; known ones and other merchants are untouched.
    for (const attacker of attackers) await harness.chain.mint(attacker.address, 10_000n)
    const [attacker] = attackers
    if (!attacker) throw new Error('there is an attacker')
    expect(await settle(victim, await signed(attacker))).toMatchObject({
      status: 429,
      error: expect.stringContaining('three payments of this payer failed'),
    })
    const newcomer = await harness.payer()
    expect(await settle(victim, await signed(newcomer))).toMatchObject({ success: true })
    expect(await settle(victim, await signed(customer))).toMatchObject({ success: true })
    const slots = await harness.app.db.slot.findMany({
      where: { members: { some: { settlement: { payer: newcomer.address.toLowerCase() } } } },
      include: { members: true },
    })
    expect(slots.map(({ members }) => members.length)).toEqual([1])
    expect(await settle(await busy(), await signed(await harness.payer()))).toMatchObject({ success: true })

    // What the attack cost us: no more than its members may burn.
    const attempts = await harness.app.db.attempt.findMany({
      where: { slot: { members: { some: { settlement: { tenantId: victim.tenantId, state: 'UNPAID' } } } } },
    })
    const gas = attempts.reduce((sum, { gasUsed }) => sum + (gasUsed ?? 0n), 0n)
    expect(gas).toBeLessThan(GAS_OF_FAILED_MEMBER * 180n)
    expect(gas).toBeGreaterThan(0n)
  })

  async function paidOnBase(
    payer: LocalAccount,
    asked: Record<string, unknown>,
  ): Promise<[SignedPayment, Record<string, unknown>]> {
    const payment = await signed(payer, {}, 8453)
    return [payment, v2Body(payment, { requirements: asked, accepted: asked })]
  }

  test('an authorization that another sender used names the transaction, and whether it made this payment', async () => {
    const merchant = await busy()
    const payer = await harness.payer()
    const payment = await signed(payer)
    await pause()
    const answer = settle(merchant, payment)
    await until(async () => (await stateCount(merchant.tenantId, 'BROADCAST')) === 1, 'it to be on the wire')
    const other = await frontRun(harness.chain, payment)
    await goOn()
    expect(await answer).toMatchObject({
      errorReason: 'authorization_used_elsewhere',
      errorMessage: `The authorization was used by transaction ${other}, which was not sent for this request. It paid this payTo this amount.`,
    })
  })
})
