import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { expectOneSuccess, startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { killedItself } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(startKillSetup)
afterEach(() => setup.clear())

// What differs from EIP-3009: what the ledger stores of the signature, and which logs prove the transfer.
const moments = casesOf<FailpointName>(['mined'], ['claimed', 'signed', 'committed', 'sent', 'landed', 'delivered'])

describe('a process killed with kill -9 while a payment by Permit2', () => {
  test.each(moments)(
    'had just been %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const [customer] = await setup.newPermit2Customers(1)
      if (!customer) throw new Error('no customer')
      await setup.killedAt(moment, customer, moment === 'delivered' ? { SETTLE_DEADLINE_MS: '20000' } : {})
      await expectOneSuccess(setup, customer)
    },
  )

  test('had just been sent, and an equal one waited: each gets its success, in a transaction of its own', async () => {
    const [first, second] = await setup.newPermit2Customers(2)
    if (!first || !second) throw new Error('no customers')
    const doomed = await setup.start({ FAILPOINT: 'sent' })
    await Promise.all([setup.settle(doomed, first), setup.settle(doomed, second)])
    await killedItself(doomed)
    const service = await setup.start()
    await Promise.all([setup.retry(service, first), setup.retry(service, second)])
    await until(async () => (await setup.balanceOf(first)) === 0n, 'the money to move')
    const history = await setup.historyOf(first)
    expect(history.map(({ success }) => success)).toEqual([true, true])
    expect(new Set(history.map(({ txHash }) => txHash)).size).toBe(2)
  })

  test('leaves nothing that the auditor objects to', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })
})
