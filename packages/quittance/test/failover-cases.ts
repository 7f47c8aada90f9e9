import { afterEach, describe, expect, test } from 'vitest'
import { settledPort } from '../../../devnet/free-ports'
import { type TwoNetworks, wallet } from '../../../test/interop/official-clients'
import { newAddress } from '../../../test/support/service/purchases'
import { ask, type MerchantProcess, signedHeader } from './merchant-process'
import { newStore } from './new-store'
import { type MerchantSettings, STEPS, type Step } from './settings'
import { type Manner, startUnreliableFacilitator, type UnreliableFacilitator } from './unreliable-facilitator'

const PRICE = 1_000n
const SERVED = { status: 200, weather: 'sunny' }
const REFUSED = { status: 402, weather: undefined }

const closed = async () => `http://127.0.0.1:${await settledPort(0)}`

/** What a merchant with the failover client of one language does when a facilitator fails, or its process dies. */
export function failoverCases(all: TwoNetworks, start: (settings: MerchantSettings) => Promise<MerchantProcess>): void {
  const opened: UnreliableFacilitator[] = []
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

  async function facilitatorThat(manner: Manner): Promise<UnreliableFacilitator> {
    const facilitator = await startUnreliableFacilitator((await all.tenant()).url, manner)
    opened.push(facilitator)
    return facilitator
  }

  /** Pays a merchant with two facilitators once, and sends the same payment again to its next process if it dies. */
  async function buy(first: string, second: string, killAt: Step | null, killAtFacilitator?: number) {
    const { chain } = all.networks.sepolia
    const payTo = newAddress()
    const settings: MerchantSettings = {
      facilitators: [first, second],
      client: 'failover',
      node: chain.url,
      payTo,
      store: newStore(),
      killAt,
      ...(killAtFacilitator === undefined ? {} : { killAtFacilitator }),
      waitMs: 4_000,
      timeoutMs: 1_500,
    }
    const merchant = await start(settings)
    const headers = await signedHeader(merchant.url, await wallet(chain))
    const answers = [await ask(merchant.url, headers)]
    if (killAt !== null) await merchant.gone
    const next = killAt === null ? merchant : await start({ ...settings, killAt: null })
    answers.push(await ask(next.url, headers), await ask(next.url, headers))
    await next.kill()
    return { answers, paid: await chain.tokens(payTo) }
  }

  describe('a merchant with two facilitators', () => {
    test('whose first refuses: the second settles', async () => {
      const [first, second] = [await facilitatorThat('unavailable'), await facilitatorThat('works')]
      expect(await buy(first.url, second.url, null)).toEqual({ answers: [SERVED, REFUSED, REFUSED], paid: PRICE })
      expect([first.settles(), second.settles()]).toEqual([1, 1])
    })

    test('whose first is not there: the second verifies and settles', async () => {
      const second = await facilitatorThat('works')
      expect(await buy(await closed(), second.url, null)).toEqual({ answers: [SERVED, REFUSED, REFUSED], paid: PRICE })
    })

    test('whose first settles and never answers: the chain gives the answer, and the second is not asked', async () => {
      const [first, second] = [await facilitatorThat('settles silently'), await facilitatorThat('works')]
      expect(await buy(first.url, second.url, null)).toEqual({ answers: [SERVED, REFUSED, REFUSED], paid: PRICE })
      expect(second.settles()).toBe(0)
    })

    test('whose first never answers: it could still send the payment, so the second is not asked', async () => {
      const [first, second] = [await facilitatorThat('silent'), await facilitatorThat('works')]
      expect(await buy(first.url, second.url, null)).toEqual({ answers: [REFUSED, REFUSED, REFUSED], paid: 0n })
      expect(second.settles()).toBe(0)
    })

    test.each(STEPS)('killed at "%s" while the first works: one payment, one answer', async (killAt) => {
      const [first, second] = [await facilitatorThat('works'), await facilitatorThat('works')]
      expect(await buy(first.url, second.url, killAt)).toEqual({ answers: ['no answer', SERVED, REFUSED], paid: PRICE })
    })

    test.each(STEPS)('killed at "%s" while the first is not there: paid once at most, and served as often', async (killAt) => {
      const second = await facilitatorThat('works')
      const { answers, paid } = await buy(await closed(), second.url, killAt)
      // Killed between the mark and the request: nothing shows that the first facilitator was never reached.
      const expected = killAt === 'settle' ? [REFUSED, REFUSED] : [SERVED, REFUSED]
      expect(answers).toEqual(['no answer', ...expected])
      expect(paid).toBe(killAt === 'settle' ? 0n : PRICE)
    })

    describe.each(['refuses', 'is not there'])('whose first %s', (manner) => {
      const atSecond: Step[] = ['settle', 'sent', 'settled']
      test.each(atSecond)('killed at "%s" of the second: it is asked again, one payment, one answer', async (killAt) => {
        const first = manner === 'refuses' ? (await facilitatorThat('unavailable')).url : await closed()
        const second = await facilitatorThat('works')
        expect(await buy(first, second.url, killAt, 1)).toEqual({ answers: ['no answer', SERVED, REFUSED], paid: PRICE })
      })
    })
  })
}
