import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { expectOneSuccess, startKillSetup } from '../../test/money/kill/kills'
import { FACTORIES, HOSTILE_FACTORY, hostileCall, placeFactories, undeployed } from '../../test/support/chain/undeployed'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { freshIp } from '../../test/support/service/client'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(() => startKillSetup(FACTORIES))
beforeAll(() => placeFactories(setup.chain))
afterEach(() => setup.clear())

describe('a process killed with kill -9 while a wallet that is not deployed pays', () => {
  test.each(casesOf<FailpointName>(['mined'], ['signed', 'committed', 'sent', 'landed']))(
    'when it had just %s: the retry gets the one success, and the wallet is there',
    async (moment) => {
      const wallet = await undeployed(setup.chain, { balance: 1_000n })
      const customer = { payment: await wallet.pay(), ip: freshIp() }
      await setup.killedAt(moment, customer)
      await expectOneSuccess(setup, customer)
      expect(await setup.chain.client.getCode({ address: wallet.wallet })).not.toBeUndefined()
    },
  )

  test('and its factory deploys nothing: one transaction, one failure, no money moved', async () => {
    const creation = hostileCall('createWhereFree')
    const wallet = await undeployed(setup.chain, { balance: 1_000n, factory: HOSTILE_FACTORY, creation })
    const customer = { payment: await wallet.pay(), ip: freshIp() }
    await setup.killedAt('sent', customer)
    const service = await setup.start()
    const answer = await setup.retry(service, customer)
    expect(answer).toMatchObject({ body: { success: false, errorReason: 'smart_wallet_deployment_failed' } })
    const [settlement] = await setup.settlementsOf(customer)
    expect(await setup.database.db.attempt.count({ where: { slotId: settlement?.slotId ?? '' } })).toBe(1)
    expect(await setup.balanceOf(customer)).toBe(1_000n)
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })
})
