import { afterEach, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { startMainProcess } from '../../test/support/service/main-process'
import { until } from '../../test/support/until'

const setup = fixture(() => startKillSetup({ SETTLE_DEADLINE_MS: '15000' }))
afterEach(() => setup.clear())

const open = () => setup.database.db.settlement.count({ where: { state: 'BROADCAST' } })

test('a stopping service completes waiting requests, accepts nothing new and exits', async () => {
  const { client } = setup.chain
  const service = await startMainProcess({ ...setup.env, FAILPOINT: 'sent' })
  try {
    const customers = await Promise.all(Array.from({ length: 12 }, () => setup.newCustomer()))
    const late = await setup.newCustomer()
    await client.setIntervalMining({ interval: 0 })
    const answers = customers.map((customer) => setup.settle(service, customer))
    // Past the moment that FAILPOINT names: outside of the tests' own program it says nothing.
    await until(async () => (await open()) === customers.length, 'the payments to be in flight', 30_000)
    const ended = service.kill('SIGTERM')
    await until(() => service.output().includes('"stopping"'), 'the service to get the signal')
    const refused = await setup.settle(service, late)
    expect(refused === 'no answer' || refused.status === 503).toBe(true)
    await client.setIntervalMining({ interval: 1 })
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200, body: { success: true } })
    await ended
    expect(await service.gone).toBe(0)
    expect(await setup.settlementsOf(late)).toEqual([])
    expect(await setup.database.db.lane.findMany()).toMatchObject([{ holder: null }])
  } finally {
    await service.kill('SIGKILL')
    await client.setIntervalMining({ interval: 1 })
  }
  expect(await setup.audit()).toEqual(NO_OFFENCE)
})
