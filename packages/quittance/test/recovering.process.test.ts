import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startTwoNetworks, wallet } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { until } from '../../../test/support/until'
import { ask, signedHeader, startMerchantProcess } from './merchant-process'
import { newStore } from './new-store'
import { type MerchantSettings, STEPS } from './settings'

const PRICE = 1_000n
const SERVED = { status: 200, weather: 'sunny' }
const REFUSED = { status: 402, weather: undefined }

const all = fixture(startTwoNetworks)

/** A merchant's settings, a payment for it, and how much reached its wallet. */
async function newSale(client: MerchantSettings['client']) {
  const { chain } = all.networks.sepolia
  const payTo = newAddress()
  const settings: MerchantSettings = {
    facilitators: [(await all.tenant()).url],
    client,
    node: chain.url,
    payTo,
    store: newStore(),
    killAt: null,
  }
  const key = await wallet(chain)
  return { settings, key, received: () => chain.tokens(payTo) }
}

/** Sends a payment to a merchant that dies at a step, then the same payment twice to its next process. */
async function crash(settings: MerchantSettings, key: `0x${string}`) {
  const doomed = await startMerchantProcess(settings)
  const headers = await signedHeader(doomed.url, key)
  const first = await ask(doomed.url, headers)
  await doomed.gone
  const next = await startMerchantProcess({ ...settings, killAt: null })
  const answers = [await ask(next.url, headers), await ask(next.url, headers)]
  await next.kill()
  return { first, answers }
}

describe('a merchant with RecoveringFacilitatorClient', () => {
  test.each(STEPS)('killed at "%s": one payment, and one answer after the restart', async (killAt) => {
    const { settings, key, received } = await newSale('recovering')
    const { first, answers } = await crash({ ...settings, killAt }, key)
    expect(first).toBe('no answer')
    expect(answers).toEqual([SERVED, REFUSED])
    expect(await received()).toBe(PRICE)
  })

  test('killed after its answer: the payment is not served again', async () => {
    const { settings, key, received } = await newSale('recovering')
    const merchant = await startMerchantProcess(settings)
    const headers = await signedHeader(merchant.url, key)
    expect(await ask(merchant.url, headers)).toEqual(SERVED)
    expect(await ask(merchant.url, headers)).toEqual(REFUSED)
    await until(() => readFileSync(settings.store, 'utf8').includes('"served"'), 'the answer to count')
    await merchant.kill()
    const next = await startMerchantProcess(settings)
    expect(await ask(next.url, headers)).toEqual(REFUSED)
    await next.kill()
    expect(await received()).toBe(PRICE)
  })

  test('with answerWithinMs 0 no crash makes a second answer', async () => {
    const { settings, key, received } = await newSale('recovering')
    const { answers } = await crash({ ...settings, answerWithinMs: 0, killAt: 'marked' }, key)
    expect(answers).toEqual([REFUSED, REFUSED])
    expect(await received()).toBe(PRICE)
  })

  test('a payment that was settled before its store was made is not served: the store does not know whether it was', async () => {
    const { settings, key } = await newSale('recovering')
    const doomed = await startMerchantProcess({ ...settings, killAt: 'settled' })
    const headers = await signedHeader(doomed.url, key)
    await ask(doomed.url, headers)
    await doomed.gone
    const next = await startMerchantProcess({ ...settings, store: newStore() })
    expect(await ask(next.url, headers)).toEqual(REFUSED)
    await next.kill()
  })

  test('two requests at once with a recovered payment get one answer', async () => {
    const { settings, key } = await newSale('recovering')
    const doomed = await startMerchantProcess({ ...settings, killAt: 'settled' })
    const headers = await signedHeader(doomed.url, key)
    await ask(doomed.url, headers)
    await doomed.gone
    const next = await startMerchantProcess(settings)
    const answers = await Promise.all([ask(next.url, headers), ask(next.url, headers), ask(next.url, headers)])
    expect(answers.filter((one) => one !== 'no answer' && one.status === 200)).toEqual([SERVED])
    await next.kill()
  })
})

test('with the official client alone, the same payment is refused after a crash', async () => {
  const { settings, key, received } = await newSale('plain')
  const { answers } = await crash({ ...settings, killAt: 'settled' }, key)
  expect(answers).toEqual([REFUSED, REFUSED])
  expect(await received()).toBe(PRICE)
})
