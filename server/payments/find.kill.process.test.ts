import { afterEach, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { until } from '../../test/support/until'

const setup = fixture(() => startKillSetup())
afterEach(() => setup.clear())

test('a process killed between the send and the answer: the caller finds its payment by payer and nonce', async () => {
  const customer = await setup.newCustomer()
  await setup.killedAt('sent', customer)
  const next = await setup.start()
  const { from, nonce } = customer.payment.authorization
  const found = async () => {
    const query = new URLSearchParams({ payer: from, nonce })
    const answer = await fetch(`${next.url}/sandbox/settlements?${query}`, { headers: { 'x-forwarded-for': customer.ip } })
    return (await answer.json()).settlements?.[0]
  }
  await until(async () => (await found())?.state === 'succeeded', 'the lookup to know the outcome', 60_000, 250)
  expect(await found()).toMatchObject({ nonce, amount: '1000', finality: expect.stringMatching(/^(included|safe|finalized)$/) })
  expect((await found()).receipt).toMatch(/^eyJ/)
  expect(await setup.balanceOf(customer)).toBe(0n)
  expect(await setup.audit()).toMatchObject(NO_OFFENCE)
})
