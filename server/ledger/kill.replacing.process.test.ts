import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { type Customer, isTransfer, startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { askUntilDead } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(startKillSetup)
afterEach(async () => {
  await resume()
  await setup.clear()
})

const pause = () => setup.chain.client.setIntervalMining({ interval: 0 })
const resume = () => setup.chain.client.setIntervalMining({ interval: 1 })

/** The attempts of the only slot that a settlement was in. */
async function attemptsOf(customer: Customer) {
  const [settlement] = await setup.settlementsOf(customer)
  const members = await setup.database.db.slotMember.findMany({ where: { settlementId: settlement?.id ?? '' } })
  expect(members).toHaveLength(1)
  return setup.database.db.attempt.findMany({ where: { slotId: members[0]?.slotId ?? '' }, orderBy: { maxFeePerGas: 'asc' } })
}

describe('a process killed while a transaction that no block takes', () => {
  test.each(casesOf<[FailpointName, number]>([['bump committed', 2]], [['bump signed', 1]]))(
    'had its successor, %s: its nonce is used once and the payment succeeds once',
    async (moment, attempts) => {
      const customer = await setup.newCustomer()
      await pause()
      await setup.killedAt(moment, customer)
      expect(await attemptsOf(customer)).toHaveLength(attempts)
      const service = await setup.start()
      await resume()
      expect(await setup.retry(service, customer)).toMatchObject({ status: 200, body: { success: true } })
      expect((await attemptsOf(customer)).filter(({ block }) => block !== null)).toHaveLength(1)
      expect(await setup.balanceOf(customer)).toBe(0n)
      expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
    },
    150_000,
  )

  test.each(casesOf<[FailpointName, number]>([['noop committed', 1]], [['noop signed', 0]]))(
    'had a no-op in its place, %s: its nonce is used once and the money stays',
    async (moment, noops) => {
      // Started first: the payment is valid for a minute of the chain's time, and a busy machine needs half of that to start a service.
      const doomed = await setup.start({ FAILPOINT: moment })
      const { timestamp } = await setup.chain.client.getBlock()
      const customer = await setup.newCustomer({ validBefore: timestamp + 60n })
      // The transfer is lost until it can no longer happen.
      setup.node.disturb(({ method, params }) =>
        method === 'eth_sendRawTransaction' && isTransfer(params[0]) ? { result: `0x${'11'.repeat(32)}` } : undefined,
      )
      const killed = askUntilDead(doomed, moment, () => setup.settle(doomed, customer))
      await until(async () => (await setup.settlementsOf(customer)).some(({ slotId }) => slotId), 'the write-ahead', 30_000)
      await setup.chain.client.increaseTime({ seconds: 90 })
      await killed
      expect((await attemptsOf(customer)).filter(({ kind }) => kind === 'noop')).toHaveLength(noops)
      await setup.start()
      const isOver = async () => (await setup.settlementsOf(customer)).some(({ state }) => state === 'EXPIRED')
      await until(isOver, 'the end of the payment', 30_000)
      await until(
        async () => (await setup.database.db.slot.count({ where: { state: 'open' } })) === 0,
        'the nonce to be used',
        30_000,
      )
      expect((await attemptsOf(customer)).filter(({ block }) => block !== null)).toMatchObject([{ kind: 'noop' }])
      expect(await setup.balanceOf(customer)).toBe(1_000n)
      expect(await setup.historyOf(customer)).toMatchObject([{ success: false }])
    },
    150_000,
  )
})

test('none of this leaves anything that the auditor objects to', async () => {
  expect(await setup.audit()).toEqual(NO_OFFENCE)
})
