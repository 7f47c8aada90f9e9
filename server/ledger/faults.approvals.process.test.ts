import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { openDeployment } from '../../test/money/faults/deployment'
import { isSend } from '../../test/money/faults/fault-harness'
import type { Customer } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { signedWithApproval } from '../../test/support/permit2/permit2'
import { freshIp } from '../../test/support/service/client'
import { until } from '../../test/support/until'

const place = fixture(() =>
  openDeployment({ SPONSORED_APPROVAL_MAX: '0.001', SETTLE_DEADLINE_MS: '5000', LEASE_MS: '1000' }, 'sandbox'),
)
afterEach(() => place.setup.clear())

/** A payer without ether, its payment, and how often it got ether. */
async function newPayer(): Promise<{ customer: Customer; fundings: () => Promise<number> }> {
  const { chain, database } = place.setup
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  const customer = { payment: await signedWithApproval(chain, payer), ip: freshIp() }
  const before = await database.db.slot.count({ where: { kind: 'fund' } })
  return { customer, fundings: async () => (await database.db.slot.count({ where: { kind: 'fund' } })) - before }
}

test('a node that takes and loses the ether, the approval and the payment once each: all land, and the ether is sent once', async () => {
  const { setup } = place
  const { customer, fundings } = await newPayer()
  const lost = new Set<unknown>()
  setup.node.disturb(({ method, params: [raw] }) => {
    if (method !== 'eth_sendRawTransaction' || lost.has(raw)) return undefined
    lost.add(raw)
    return { result: `0x${'0'.repeat(64)}` }
  })
  const service = await setup.start()
  expect(await setup.retry(service, customer)).toMatchObject({ body: { success: true } })
  expect([lost.size, await fundings(), await setup.balanceOf(customer)]).toEqual([3, 1, 0n])
  expect(await setup.audit()).toEqual(NO_OFFENCE)
})

test('a payer whose approval is never mined though it has the ether is counted at once when its time is over', async () => {
  const { setup } = place
  const { customer, fundings } = await newPayer()
  const sentAlong = JSON.stringify(customer.payment.extensions)
  // Each node takes its bytes, as it takes those of a fee that no block wants.
  setup.node.disturb((call) =>
    isSend(call) && sentAlong.includes(String(call.params[0])) ? { result: `0x${'0'.repeat(64)}` } : undefined,
  )
  const service = await setup.start()
  expect(await setup.settle(service, customer)).toMatchObject({ status: 503 })
  const { db } = setup.database
  const counted = { payer: customer.payment.authorization.from.toLowerCase(), kind: 'unapproved' }
  await until(async () => (await db.payerFailure.count({ where: counted })) === 1, 'the payer to be counted')
  expect([await fundings(), await setup.balanceOf(customer)]).toEqual([1, 1_000n])
  expect(await setup.audit()).toEqual(NO_OFFENCE)
})

inLongRuns(() => {
  test('a database that crashes between the ether and the approval: the payment lands, and the ether was sent once', async () => {
    const { setup, cluster } = place
    const { customer, fundings } = await newPayer()
    const sentAlong = JSON.stringify(customer.payment.extensions)
    let crashed: Promise<void> | null = null
    setup.node.disturb(async (call) => {
      if (!isSend(call) || !sentAlong.includes(String(call.params[0]))) return undefined
      crashed ??= cluster.crash()
      await crashed
      return undefined
    })
    const service = await setup.start()
    const first = setup.settle(service, customer)
    await until(async () => crashed !== null, 'the approval to be sent')
    await crashed
    await first
    await cluster.start()
    expect(await setup.retry(service, customer)).toMatchObject({ body: { success: true } })
    expect([await fundings(), await setup.balanceOf(customer)]).toEqual([1, 0n])
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })
})
