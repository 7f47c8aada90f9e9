import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type CreditGround, creditGround } from '../../test/credit-kills'
import { fundedKey, until } from '../../test/harness'
import { casesOf, inLongRuns } from '../../test/long-run'
import type { ProcessAnswer } from '../../test/process'
import type { FailpointName } from './failpoints'

const BOUGHT = 100n
let ground: CreditGround
let buyer: Buyer
let key: string
beforeAll(async () => {
  ground = await creditGround()
  buyer = await ground.newBuyer(BOUGHT)
  const service = await ground.start()
  await ground.buyAgain(service, buyer)
  key = await ground.newKey(service, buyer)
  await ground.clear()
})
afterEach(() => ground.clear())
afterAll(() => ground.close())

/** The settlements that the wallet's credits pay for, the freed ones not counted. */
const standing = () =>
  ground.database.db.settlement.count({
    where: { subject: `credits:testnet:${buyer.wallet}`, state: { not: 'REJECTED' } },
  })
const isSuccess = (answer: ProcessAnswer) => answer !== 'no answer' && answer.body.success === true

/** Repeats a settlement until it is a success, or one that was told to nobody alive. */
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
      const { used } = await ground.accountOf(buyer)
      const use = await ground.newUse()
      await ground.killedWhile(moment, (service) => use(service, key))
      const service = await ground.start()
      await untilOver(() => use(service, key))
      expect(await ground.accountOf(buyer)).toEqual({ purchased: BOUGHT, used: used + 1n })
      expect(await standing()).toBe(Number(used) + 1)
    },
    120_000,
  )

  test.each<FailpointName>(['judged', 'claimed'])(
    'when it had just %s, and nobody asks again: what was never signed costs nothing',
    async (moment) => {
      const { used } = await ground.accountOf(buyer)
      const use = await ground.newUse()
      // Nobody may take over its lane: the others would sign what it left while somebody might still wait for it.
      const itsOwn = { EVM_SIGNER_KEYS: await fundedKey(ground.chain), LEASE_MS: '120000' }
      await ground.killedWhile(moment, (service) => use(service, key), itsOwn)
      await ground.start()
      await until(async () => (await ground.accountOf(buyer)).used === used, 'the credit to come back', 30_000)
      expect(await standing()).toBe(Number(used))
    },
    120_000,
  )

  inLongRuns(() => {
    test('under load: what was used are the settlements that were not freed, and all of them settle', async () => {
      const { used } = await ground.accountOf(buyer)
      const uses = await Promise.all(Array.from({ length: 20 }, () => ground.newUse()))
      const doomed = await ground.start()
      const before = await standing()
      const first = uses.map((use) => use(doomed, key))
      await until(async () => (await standing()) > before + 8, 'some claims')
      await doomed.kill('SIGKILL')
      await Promise.all(first)
      const service = await ground.start()
      await Promise.all(uses.map((use) => untilOver(() => use(service, key))))
      expect(await ground.accountOf(buyer)).toEqual({ purchased: BOUGHT, used: used + 20n })
      expect(await standing()).toBe(Number(used) + 20)
    }, 120_000)
  })
})
