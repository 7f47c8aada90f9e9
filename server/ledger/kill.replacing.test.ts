import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/audit'
import { until } from '../../test/harness'
import { isTransfer, type KillingGround, killingGround, type Sender } from '../../test/kills'
import { askUntilDead } from '../../test/process'
import type { FailpointName } from './failpoints'

let ground: KillingGround
beforeAll(async () => {
  ground = await killingGround()
})
afterEach(async () => {
  await resume()
  await ground.clear()
})
afterAll(() => ground.close())

const pause = () => ground.chain.client.setIntervalMining({ interval: 0 })
const resume = () => ground.chain.client.setIntervalMining({ interval: 1 })

/** The attempts of the one slot that a settlement was ever in. */
async function attemptsOf(sender: Sender) {
  const [settlement] = await ground.settlementsOf(sender)
  const members = await ground.database.db.slotMember.findMany({ where: { settlementId: settlement?.id ?? '' } })
  expect(members).toHaveLength(1)
  return ground.database.db.attempt.findMany({ where: { slotId: members[0]?.slotId ?? '' }, orderBy: { maxFeePerGas: 'asc' } })
}

describe('a process killed while a transaction that no block takes', () => {
  test.each<[FailpointName, number]>([
    ['bump signed', 1],
    ['bump committed', 2],
  ])(
    'had its successor, %s: its nonce is used once and the payment succeeds once',
    async (moment, attempts) => {
      const sender = await ground.newSender()
      await pause()
      await ground.killedAt(moment, sender)
      expect(await attemptsOf(sender)).toHaveLength(attempts)
      const service = await ground.start()
      await resume()
      expect(await ground.retry(service, sender)).toMatchObject({ status: 200, body: { success: true } })
      expect((await attemptsOf(sender)).filter(({ block }) => block !== null)).toHaveLength(1)
      expect(await ground.balanceOf(sender)).toBe(0n)
      expect(await ground.historyOf(sender)).toMatchObject([{ success: true }])
    },
    150_000,
  )

  test.each<[FailpointName, number]>([
    ['noop signed', 0],
    ['noop committed', 1],
  ])(
    'had a no-op in its place, %s: its nonce is used once and the money stays',
    async (moment, noops) => {
      // Started first: the payment is valid for a minute of the chain's time, and a busy machine needs half of that to start a service.
      const doomed = await ground.start({ FAILPOINT: moment })
      const { timestamp } = await ground.chain.client.getBlock()
      const sender = await ground.newSender({ validBefore: timestamp + 60n })
      // The transfer is lost on its way, until it cannot happen any more.
      ground.node.disturb(({ method, params }) =>
        method === 'eth_sendRawTransaction' && isTransfer(params[0]) ? { result: `0x${'11'.repeat(32)}` } : undefined,
      )
      const killed = askUntilDead(doomed, moment, () => ground.settle(doomed, sender))
      await until(async () => (await ground.settlementsOf(sender)).some(({ slotId }) => slotId), 'the write-ahead', 30_000)
      await ground.chain.client.increaseTime({ seconds: 90 })
      await killed
      expect((await attemptsOf(sender)).filter(({ kind }) => kind === 'noop')).toHaveLength(noops)
      await ground.start()
      const isOver = async () => (await ground.settlementsOf(sender)).some(({ state }) => state === 'EXPIRED')
      await until(isOver, 'the end of the payment', 30_000)
      await until(
        async () => (await ground.database.db.slot.count({ where: { state: 'open' } })) === 0,
        'the nonce to be used',
        30_000,
      )
      expect((await attemptsOf(sender)).filter(({ block }) => block !== null)).toMatchObject([{ kind: 'noop' }])
      expect(await ground.balanceOf(sender)).toBe(1_000n)
      expect(await ground.historyOf(sender)).toMatchObject([{ success: false }])
    },
    150_000,
  )
})

test('none of this leaves anything that the auditor objects to', async () => {
  expect(await ground.audit()).toEqual(NO_OFFENCE)
}, 120_000)
