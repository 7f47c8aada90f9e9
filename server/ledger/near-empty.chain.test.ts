import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { newPayments } from '../../test/money/faults/fault-harness'
import { drain } from '../../test/support/chain/signers'
import { proxiedHarness } from '../../test/support/nodes/proxied-harness'
import { v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { ready } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const { harness, node } = proxiedHarness({ env: { SETTLE_DEADLINE_MS: '15000', RECHECK_MS: '500', LEASE_MS: '1500' } })

/** What a node says of bytes that the balance does not cover. */
const refusals: unknown[] = []

test('a burst on a nearly empty signer: what its balance covers is settled, the rest is refused, nothing stays open', async () => {
  const { app, chain } = harness
  const network = app.networks.get('eip155:84532')
  const [signer] = network?.signers.sandbox ?? []
  if (network?.family !== 'evm' || !signer) throw new Error('no signer')
  const payments = await newPayments(harness, 60)
  const refill = await drain(harness, 'sandbox', (body) => newClient(app).settle(body))
  // Ready with it, but a batch of forty asks for six times as much.
  const { baseFee } = await network.chain.head()
  await chain.fund(signer as Address, network.chain.costOf(baseFee, 120_000n) * 7n)
  await ready(app)
  node.disturb(async (call) => {
    if (call.method !== 'eth_sendRawTransaction') return undefined
    const answer = await node.forward(call.method, call.params)
    if (/insufficient/i.test(JSON.stringify(answer.error ?? ''))) refusals.push(answer.error)
    return answer.error ? { error: Object(answer.error) } : { result: answer.result }
  })
  const answers = await Promise.all(payments.map((payment) => post(app, 'settle', v2Body(payment))))
  expect(answers.filter(({ body }) => body.success === true).length).toBeGreaterThan(0)
  for (const { status, body } of answers)
    if (!body.success) expect([status, body.errorReason]).toEqual([503, 'facilitator_unavailable'])
  expect(refusals).toEqual([])
  await until(async () => (await app.db.slot.count({ where: { state: 'open' } })) === 0, 'nothing to be in flight')
  await until(async () => (await app.db.settlement.count({ where: { state: 'CLAIMED' } })) === 0, 'no claim to be left')
  expect(await app.db.attempt.count({ where: { kind: 'noop' } })).toBe(0)

  await refill()
  const [next] = await newPayments(harness, 1)
  if (!next) throw new Error('no payment')
  expect(await post(app, 'settle', v2Body(next))).toMatchObject({ status: 200, body: { success: true } })
})
