import { afterEach, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { type Customer, expectOneSuccess, startKillSetup } from '../../test/money/kill/kills'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(() => startKillSetup({}, 'flash'))
afterEach(() => setup.clear())

/** Killed before any block: the success was answered by a preconfirmation alone. */
async function killedAt(moment: FailpointName, customer: Customer, changes = {}): Promise<void> {
  const { client } = setup.chain
  await client.setIntervalMining({ interval: 0 })
  try {
    await setup.killedAt(moment, customer, changes)
  } finally {
    await client.setIntervalMining({ interval: 1 })
  }
}

describe('a process killed with kill -9 while it settled a flash payment', () => {
  test.each(casesOf<FailpointName>(['preconfirmed'], ['committed', 'sent']))(
    'when it had just %s: the retry gets the one success, the money moved once, one history row',
    async (moment) => {
      const customer = await setup.newCustomer()
      await killedAt(moment, customer)
      await expectOneSuccess(setup, customer)
    },
  )

  test('when it had delivered: the retry is a conflict that names the transaction, history says success', async () => {
    const customer = await setup.newCustomer()
    await killedAt('delivered', customer, { FLASH_DEADLINE_MS: '20000' })
    expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
    const [settlement] = await setup.settlementsOf(customer)
    const service = await setup.start()
    expect(await setup.retry(service, customer)).toMatchObject({ status: 409, body: { transaction: settlement?.txHash } })
  })

  test('leaves nothing that the auditor objects to', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })
})
