import { describe, expect, onTestFinished, test } from 'vitest'
import { channelSellers, STORAGE_WAITS } from '../../../test/interop/channel-sales'
import { channelIn, newBuyer } from '../../../test/interop/channel-traffic'
import { NETWORK, PRICE } from '../../../test/interop/stream'
import { until } from '../../../test/support/until'
import { QuittanceChannels } from '../src/index'
import { startProgram } from './merchant-process'
import type { StreamMerchantSettings } from './settings'

/** How long a request holds its channel. A deposit is signed for as long, and refused in its last six seconds. */
const HELD_S = 10

const { harness, service, newSeller } = channelSellers({
  async startStream(settings, { usdc }) {
    const asked = { maxTimeoutSeconds: HELD_S, ...settings, usdc } satisfies StreamMerchantSettings
    const { port, kill } = await startProgram('stream-merchant.ts', asked)
    onTestFinished(kill)
    return { url: `http://127.0.0.1:${port}/stream`, stop: kill }
  },
  openStorage(url) {
    const storage = new QuittanceChannels({ url, network: NETWORK, ...STORAGE_WAITS })
    return {
      get: (id) => storage.get(id),
      keep: () => Promise.reject(new Error('nothing is written here')),
      acquire: (...lock) => storage.acquire(...lock),
      release: (...lock) => storage.release(...lock),
      isHeld: (...lock) => storage.isHeld(...lock),
    }
  },
})

/**
 * When the process of a merchant dies: its reservation is written; its answer is made, and the charge is not written; the charge is written, and
 * the payer has no answer; the payer has its answer. `writes`: which write of the request that is.
 */
const MOMENTS = {
  reserved: { writes: 1, fate: 'served', charged: 0n, holds: true },
  'not charged': { writes: 2, fate: 'lost', charged: 0n, holds: true },
  charged: { writes: 2, fate: 'served', charged: PRICE, holds: false },
  answered: { writes: 0, fate: 'served', charged: PRICE, holds: false },
} as const

describe.each(['deposit', 'voucher'] as const)('a process of a merchant, killed while it serves a payment with a %s', (kind) => {
  test.each(Object.entries(MOMENTS))(
    'when that is %s: charges nothing that it did not write, and its payer goes on at the next process',
    async (_, { writes, fate, charged, holds }) => {
      const seller = await newSeller()
      const doomed = await seller.start()
      const buyer = await newBuyer(harness.chain)
      let before = 0n
      if (kind === 'voucher') {
        expect(await buyer.buy(doomed.url)).toMatchObject({ status: 200 })
        before = PRICE
      }
      let seen = 0
      let death: Promise<void> | undefined
      service.faulty((method) => {
        if (method !== 'PUT' || ++seen !== writes) return 'served'
        // The signal is sent now; the write goes its own way.
        death = doomed.stop()
        return fate
      })
      const answer = await buyer.buy(doomed.url).catch(() => null)
      await (death ?? doomed.stop())
      service.faulty(() => 'served')
      expect(answer?.status).toBe(writes === 0 ? 200 : undefined)

      const next = await seller.start()
      // The write of a dead process may still be under way.
      await until(async () => (await seller.usage()).charged === before + charged, 'the charge')
      let answered = await buyer.buy(next.url)
      expect(answered.status).toBe(holds ? 402 : 200)
      const isServed = async () => {
        if (answered.status !== 200) answered = await buyer.buy(next.url)
        return answered.status === 200
      }
      await until(isServed, 'the reservation to run out', 30_000, 500)
      const id = channelIn(answered.receipt)
      for (let more = 0; more < 3; more++) expect(await buyer.buy(next.url)).toMatchObject({ status: 200 })
      const total = before + charged + 4n * PRICE
      expect(await seller.storage.get(id)).toMatchObject({ chargedCumulativeAmount: String(total) })
      expect((await seller.usage()).charged).toBe(total)
      await seller.claimed(total)
      await next.stop()
    },
  )
})
