import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type TwoNetworks, wallet } from '../../../test/interop/official-clients'
import { newAddress } from '../../../test/support/service/purchases'
import { until } from '../../../test/support/until'
import { ask, type MerchantProcess, signedHeader } from './merchant-process'
import { newStore } from './new-store'
import { type MerchantSettings, STEPS } from './settings'

const PRICE = 1_000n
const SERVED = { status: 200, weather: 'sunny' }
const REFUSED = { status: 402, weather: undefined }

/** A merchant's settings, a payer for it, and how much reached its wallet. */
export async function newSale({ networks, tenant }: TwoNetworks, client: MerchantSettings['client']) {
  const { chain } = networks.sepolia
  const payTo = newAddress()
  const settings: MerchantSettings = {
    facilitators: [(await tenant()).url],
    client,
    node: chain.url,
    payTo,
    store: newStore(),
    killAt: null,
  }
  const key = await wallet(chain)
  return { settings, key, received: () => chain.tokens(payTo) }
}

/** What a merchant with the recovering client of one language does when its process dies. */
export function crashCases(networks: TwoNetworks, start: (settings: MerchantSettings) => Promise<MerchantProcess>): void {
  /** Sends a payment to a merchant that dies at a step, then the same payment twice to its next process. */
  async function crash(settings: MerchantSettings, key: Hex) {
    const doomed = await start(settings)
    const headers = await signedHeader(doomed.url, key)
    const first = await ask(doomed.url, headers)
    await doomed.gone
    const next = await start({ ...settings, killAt: null })
    const answers = [await ask(next.url, headers), await ask(next.url, headers)]
    await next.kill()
    return { first, answers }
  }

  describe('a merchant with RecoveringFacilitatorClient', () => {
    test.each(STEPS)('killed at "%s": one payment, and one answer after the restart', async (killAt) => {
      const { settings, key, received } = await newSale(networks, 'recovering')
      const { first, answers } = await crash({ ...settings, killAt }, key)
      expect(first).toBe('no answer')
      expect(answers).toEqual([SERVED, REFUSED])
      expect(await received()).toBe(PRICE)
    })

    test('killed after its answer: the payment is not served again', async () => {
      const { settings, key, received } = await newSale(networks, 'recovering')
      const merchant = await start(settings)
      const headers = await signedHeader(merchant.url, key)
      expect(await ask(merchant.url, headers)).toEqual(SERVED)
      expect(await ask(merchant.url, headers)).toEqual(REFUSED)
      await until(() => readFileSync(settings.store, 'utf8').includes('"served"'), 'the answer to count')
      await merchant.kill()
      const next = await start(settings)
      expect(await ask(next.url, headers)).toEqual(REFUSED)
      await next.kill()
      expect(await received()).toBe(PRICE)
    })

    test('without a time in which answers count as lost no crash makes a second answer', async () => {
      const { settings, key, received } = await newSale(networks, 'recovering')
      const { answers } = await crash({ ...settings, answerWithinMs: 0, killAt: 'marked' }, key)
      expect(answers).toEqual([REFUSED, REFUSED])
      expect(await received()).toBe(PRICE)
    })

    test('a payment that was settled before its store was made is not served: the store does not know whether it was', async () => {
      const { settings, key } = await newSale(networks, 'recovering')
      const doomed = await start({ ...settings, killAt: 'settled' })
      const headers = await signedHeader(doomed.url, key)
      await ask(doomed.url, headers)
      await doomed.gone
      const next = await start({ ...settings, store: newStore() })
      expect(await ask(next.url, headers)).toEqual(REFUSED)
      await next.kill()
    })

    test('of two processes with one file only the first takes payments, until it ends', async () => {
      const { settings, key, received } = await newSale(networks, 'recovering')
      const [first, second] = [await start(settings), await start(settings)]
      const headers = await signedHeader(first.url, key)
      expect(await ask(first.url, headers)).toEqual(SERVED)
      for (const others of [headers, await signedHeader(second.url, key)])
        expect(await ask(second.url, others)).not.toMatchObject({ status: 200 })
      expect(await received()).toBe(PRICE)
      await until(() => readFileSync(settings.store, 'utf8').includes('"served"'), 'the answer to count')
      await first.kill()
      expect(await ask(second.url, await signedHeader(second.url, key))).toEqual(SERVED)
      expect(await ask(second.url, headers)).toEqual(REFUSED)
      await second.kill()
    })

    test('two requests at once with a recovered payment get one answer', async () => {
      const { settings, key } = await newSale(networks, 'recovering')
      const doomed = await start({ ...settings, killAt: 'settled' })
      const headers = await signedHeader(doomed.url, key)
      await ask(doomed.url, headers)
      await doomed.gone
      const next = await start(settings)
      const answers = await Promise.all([ask(next.url, headers), ask(next.url, headers), ask(next.url, headers)])
      expect(answers.filter((one) => one !== 'no answer' && one.status === 200)).toEqual([SERVED])
      await next.kill()
    })
  })

  test('with the official client alone, the same payment is refused after a crash', async () => {
    const { settings, key, received } = await newSale(networks, 'plain')
    const { answers } = await crash({ ...settings, killAt: 'settled' }, key)
    expect(answers).toEqual([REFUSED, REFUSED])
    expect(await received()).toBe(PRICE)
  })
}
