import { afterEach, describe, expect, test } from 'vitest'
import { expectBoughtOnce, startCreditKillSetup } from '../../test/money/kill/credit-kills'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { killWhileSending } from '../../test/support/service/process'
import type { FailpointName } from '../base/failpoints'

const setup = fixture(startCreditKillSetup)
afterEach(() => setup.clear())

describe('a process killed with kill -9 while credits are bought', () => {
  // 'delivered' is the last write before the key: the wallet has paid and has no key.
  test.each(casesOf<FailpointName>(['landed', 'delivered'], ['judged', 'claimed', 'signed', 'committed', 'sent', 'mined']))(
    'when it had just %s: paid once, credited once, and the wallet gets a key',
    async (moment) => {
      const buyer = await setup.newBuyer()
      await setup.killedWhile(moment, (service) => setup.buy(service, buyer))
      await expectBoughtOnce(setup, buyer)
    },
  )

  test('while the node has the transaction and has not answered: paid once, credited once', async () => {
    const buyer = await setup.newBuyer()
    const doomed = await setup.start()
    killWhileSending(doomed, setup.node, 'eth_sendRawTransaction')
    expect(await setup.buy(doomed, buyer)).toBe('no answer')
    setup.node.disturb(() => undefined)
    await expectBoughtOnce(setup, buyer)
  })
})
