import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/audit'
import { until } from '../../test/harness'
import { type KillingGround, killingGround } from '../../test/kills'
import { startMainProcess } from '../../test/main-process'

let ground: KillingGround
beforeAll(async () => {
  ground = await killingGround({ SETTLE_DEADLINE_MS: '15000' })
})
afterEach(() => ground.clear())
afterAll(() => ground.close())

const open = () => ground.database.db.settlement.count({ where: { state: 'BROADCAST' } })

test('a service that is asked to stop answers everybody who waits, takes nothing new and ends by itself', async () => {
  const service = await startMainProcess({ ...ground.env, FAILPOINT: 'sent' })
  try {
    const { client } = ground.chain
    const senders = await Promise.all(Array.from({ length: 12 }, () => ground.newSender()))
    const late = await ground.newSender()
    await client.setIntervalMining({ interval: 0 })
    const answers = senders.map((sender) => ground.settle(service, sender))
    // Past the moment that FAILPOINT names: outside of the tests' own program it says nothing.
    await until(async () => (await open()) === senders.length, 'the payments to be on their way', 30_000)
    const ended = service.kill('SIGTERM')
    await until(() => service.output().includes('"stopping"'), 'the service to hear it')
    const refused = await ground.settle(service, late)
    expect(refused === 'no answer' || refused.status === 503).toBe(true)
    await client.setIntervalMining({ interval: 1 })
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200, body: { success: true } })
    await ended
    expect(await service.gone).toBe(0)
    expect(await ground.settlementsOf(late)).toEqual([])
    expect(await ground.database.db.lane.findMany()).toMatchObject([{ holder: null }])
  } finally {
    await service.kill('SIGKILL')
  }
  expect(await ground.audit()).toEqual(NO_OFFENCE)
}, 120_000)
