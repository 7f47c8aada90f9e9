import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, startCreditKillSetup } from '../../test/money/kill/credit-kills'
import { fundedKey } from '../../test/support/chain/funded-key'
import { fixture } from '../../test/support/fixture'
import { casesOf, inLongRuns } from '../../test/support/long-run'
import type { ProcessAnswer } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

const BOUGHT = 100n
const setup = fixture(startCreditKillSetup)
let buyer: Buyer
let key: string
beforeAll(async () => {
  buyer = await setup.newBuyer(BOUGHT)
  const service = await setup.start()
  await setup.buyAgain(service, buyer)
  key = await setup.newKey(service, buyer)
  await setup.clear()
})
afterEach(() => setup.clear())

/** The settlements that the wallet's credits pay for, the freed ones not counted. */
const standing = () =>
  setup.database.db.settlement.count({
    where: { subject: `credits:testnet:${buyer.wallet}`, state: { not: 'REJECTED' } },
  })
const isSuccess = (answer: ProcessAnswer) => answer !== 'no answer' && answer.body.success === true

/** Retries a settlement until it is a success, or until only the killed process got its success. */
async function untilOver(ask: () => Promise<ProcessAnswer>): Promise<void> {
  const isOver = (answer: ProcessAnswer) => answer !== 'no answer' && answer.status === 409 && !answer.headers.has('retry-after')
  await until(
    async () => {
      const answer = await ask()
      return isSuccess(answer) || isOver(answer)
    },
    'an answer to the retry',
    30_000,
    250,
  )
}

describe('a process killed with kill -9 while it settles for a credit', () => {
  test.each(casesOf<FailpointName>(['claimed', 'landed'], ['judged', 'signed', 'committed', 'sent', 'mined', 'delivered']))(
    'when it had just %s: the retry settles, for one credit',
    async (moment) => {
      const { used } = await setup.accountOf(buyer)
      const use = await setup.newUse()
      await setup.killedWhile(moment, (service) => use(service, key))
      const service = await setup.start()
      await untilOver(() => use(service, key))
      expect(await setup.accountOf(buyer)).toEqual({ purchased: BOUGHT, used: used + 1n })
      expect(await standing()).toBe(Number(used) + 1)
    },
  )

  test.each(casesOf<FailpointName>(['claimed'], ['judged']))(
    'when it had just %s, without a retry: an unsigned settlement costs nothing',
    async (moment) => {
      const { used } = await setup.accountOf(buyer)
      const use = await setup.newUse()
      // Its lane must not be taken over: another instance would sign its claims while their waiters may still wait.
      const itsOwn = { EVM_SIGNER_KEYS: await fundedKey(setup.chain), LEASE_MS: '120000' }
      await setup.killedWhile(moment, (service) => use(service, key), itsOwn)
      await setup.start()
      await until(async () => (await setup.accountOf(buyer)).used === used, 'the credit to come back', 30_000)
      expect(await standing()).toBe(Number(used))
    },
  )

  inLongRuns(() => {
    test('under load: the used credits are the settlements that were not freed, and all of them settle', async () => {
      const { used } = await setup.accountOf(buyer)
      const uses = await Promise.all(Array.from({ length: 20 }, () => setup.newUse()))
      const doomed = await setup.start()
      const before = await standing()
      const first = uses.map((use) => use(doomed, key))
      await until(async () => (await standing()) > before + 8, 'some claims')
      await doomed.kill('SIGKILL')
      await Promise.all(first)
      const service = await setup.start()
      await Promise.all(uses.map((use) => untilOver(() => use(service, key))))
      expect(await setup.accountOf(buyer)).toEqual({ purchased: BOUGHT, used: used + 20n })
      expect(await standing()).toBe(Number(used) + 20)
    })
  })
})
