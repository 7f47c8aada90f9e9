import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileModes, hostileTokenAbi } from '../../devnet/abi'
import { authorization, signUnder } from '../../devnet/authorization'
import { v2Body } from '../../test/support/payloads/payments'
import { EURC, settleToo } from '../../test/support/payloads/tokens'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newAddress } from '../../test/support/service/purchases'
import { historyOf, newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

let harness: Harness
let end: () => void
beforeAll(async () => {
  end = settleToo([EURC])
  harness = await startHarness({ env: { SETTLE_HORIZON_MS: '6000', SETTLE_DEADLINE_MS: '30000' } })
  await harness.chain.deployToken('hostile', { name: EURC.domain.name, at: EURC.address })
})
afterAll(async () => {
  await harness.close()
  end()
})

/** A payment in a token that does this with each transfer. */
async function paying(mode: keyof typeof hostileModes) {
  const data = encodeFunctionData({ abi: hostileTokenAbi, functionName: 'setMode', args: [hostileModes[mode]] })
  await harness.chain.send(EURC.address, data)
  const payer = await harness.payer(0n)
  await harness.chain.mint(payer.address, 2_000n, EURC.address)
  const payTo = newAddress()
  const message = authorization({ from: payer.address, to: payTo, value: 1_000n })
  const signature = await signUnder({ ...EURC.domain, chainId: 84532, verifyingContract: EURC.address }, payer, message)
  const requirements = { asset: getAddress(EURC.address), payTo, extra: EURC.domain }
  return { payTo, body: v2Body({ authorization: message, signature }, { requirements }) }
}

test('a token that logs an event of its own before its Transfer is settled, alone and in a batch', async () => {
  const payments = [await paying('logsBetween'), await paying('logsBetween'), await paying('logsBetween')]
  const answers = await Promise.all(payments.map(({ body }) => newClient(harness.app).settle(body)))
  expect(answers.map(({ body }) => Object(body).success)).toEqual([true, true, true])
  for (const { payTo } of payments) expect(await harness.chain.tokens(payTo, EURC.address)).toBe(1_000n)
})

test("a token that uses the authorization and logs no Transfer ends its payment after the horizon, and not at the payer's cost", async () => {
  const { payTo, body } = await paying('silent')
  const client = newClient(harness.app)
  await client.settle(body)
  const row = () => harness.app.db.settlement.findFirstOrThrow({ where: { payTo: payTo.toLowerCase() } })
  await until(async () => (await row()).state === 'REVERTED', 'the payment to end')
  expect(await row()).toMatchObject({ reason: 'landed_without_proof', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(await historyOf(harness, payTo)).toMatchObject([{ success: false, errorReason: 'landed_without_proof' }])
  expect(await harness.app.db.payerFailure.count()).toBe(0)
  // It holds its intent: the money may have moved.
  expect((await client.settle(body)).status).toBe(409)
})
