import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newPurchase, newPurchases } from '../../test/support/service/purchases'
import { type Answer, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() =>
  startHarness({ production: true, blockTimeSeconds: 0.2, env: { SETTLE_DEADLINE_MS: '6000', RECHECK_MS: '200' } }),
)

const finalityOf = ({ body }: Answer) => Object(body).extra?.finality
const idOf = ({ headers }: Answer) => headers.get('x-settlement-id') ?? ''
const stateOf = async (id: string) => (await harness.app.db.settlement.findUniqueOrThrow({ where: { id } })).state

describe('a key that waits for more than a block', () => {
  test('safe: the answer comes when the ledger stops watching the payment', async () => {
    const { v1 } = await newMerchant(harness.app, { waitUntil: 'safe' })
    const answer = await v1.settle((await newPurchase(harness)).body)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect([finalityOf(answer), await stateOf(idOf(answer))]).toEqual([expect.stringMatching(/^(safe|finalized)$/), 'FINAL'])
  })

  test('finalized: the answer comes when the network finalized the block', async () => {
    const { v1 } = await newMerchant(harness.app, { waitUntil: 'finalized' })
    const answering = v1.settle((await newPurchase(harness)).body)
    await until(
      async () => (await harness.app.db.settlement.count({ where: { waitUntil: 'finalized', state: 'FINAL' } })) > 0,
      'FINAL',
    )
    // A local chain finalizes a block 64 blocks later.
    await harness.chain.client.mine({ blocks: 80 })
    const answer = await answering
    expect([answer.status, finalityOf(answer)]).toEqual([200, 'finalized'])
    expect(await v1.settlements(idOf(answer))).toMatchObject({ body: { settlements: [{ finality: 'finalized' }] } })
  })

  test('at the deadline it is pending with the hash, history has the success, and a repetition waits on', async () => {
    const { v1, tenantId } = await newMerchant(harness.app, { waitUntil: 'finalized' })
    const { body, payer } = await newPurchase(harness)
    const first = await v1.settle(body)
    expect(first).toMatchObject({ status: 200, body: { success: false, errorReason: 'settlement_pending' } })
    expect(Object(first.body).transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await harness.app.db.history.findMany({ where: { tenantId } })).toMatchObject([
      { success: true, payer: payer.toLowerCase() },
    ])
    const retry = v1.settle(body)
    await until(
      async () => (await harness.app.db.settlement.count({ where: { id: idOf(first), waiter: { not: null } } })) > 0,
      'the wait',
    )
    await harness.chain.client.mine({ blocks: 80 })
    expect(await retry).toMatchObject({ status: 200, body: { success: true, transaction: Object(first.body).transaction } })
  })

  test('preconfirmed needs a plan with flash', async () => {
    await expect(newMerchant(harness.app, { plan: 'free', waitUntil: 'preconfirmed' })).rejects.toThrow(
      'needs the plan growth or higher',
    )
  })

  test('/supported says what a success means for this key', async () => {
    const { v1 } = await newMerchant(harness.app, { waitUntil: 'safe' })
    const [kind] = Object((await v1.supported()).body).kinds
    expect(kind.extra.finality).toEqual({
      success: 'safe',
      confirmations: { included: 1, safe: 2 },
      expectedSeconds: { preconfirmed: 0.2, included: 2, safe: 12, finalized: 1_200 },
    })
  })
})

describe('a key whose payments do not share transactions', () => {
  test('gets a transaction for each of many payments at once, others share theirs', async () => {
    const bodies = await newPurchases(harness, 24)
    const { v1 } = await newMerchant(harness.app, { shareTransactions: false })
    const others = await newMerchant(harness.app)
    const [own, shared] = await Promise.all(
      [v1, others.v1].map((endpoint, half) =>
        Promise.all(bodies.slice(12 * half, 12 * half + 12).map((body) => endpoint.settle(body))),
      ),
    )
    const hashes = (answers: Answer[] = []) => new Set(answers.map(({ body }) => Object(body).transaction))
    for (const { body } of [...(own ?? []), ...(shared ?? [])]) expect(body).toMatchObject({ success: true })
    expect(hashes(own).size).toBe(12)
    for (const hash of hashes(own)) expect(await harness.app.db.settlement.count({ where: { txHash: hash } })).toBe(1)
    expect(hashes(shared).size).toBeLessThan(12)
  })
})
