import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CreditGround, creditGround, expectBoughtOnce } from '../../test/credit-kills'
import { casesOf } from '../../test/long-run'
import { killWhileSending } from '../../test/process'
import type { FailpointName } from '../ledger/failpoints'

let ground: CreditGround
beforeAll(async () => {
  ground = await creditGround()
})
afterEach(() => ground.clear())
afterAll(() => ground.close())

describe('a process killed with kill -9 while credits are bought', () => {
  // 'delivered' is the last moment at which anything is written before the key: the wallet has paid and has none.
  test.each(casesOf<FailpointName>(['landed', 'delivered'], ['judged', 'claimed', 'signed', 'committed', 'sent', 'mined']))(
    'when it had just %s: paid once, credited once, and the wallet gets a key',
    async (moment) => {
      const buyer = await ground.newBuyer()
      await ground.killedWhile(moment, (service) => ground.buy(service, buyer))
      await expectBoughtOnce(ground, buyer)
    },
    120_000,
  )

  test('while the node, which took the bytes, was about to answer: paid once, credited once', async () => {
    const buyer = await ground.newBuyer()
    const doomed = await ground.start()
    killWhileSending(doomed, ground.node, 'eth_sendRawTransaction')
    expect(await ground.buy(doomed, buyer)).toBe('no answer')
    ground.node.disturb(() => undefined)
    await expectBoughtOnce(ground, buyer)
  }, 120_000)
})
