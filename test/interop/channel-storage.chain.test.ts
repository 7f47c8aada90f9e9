import type { ChannelStorage } from '@x402/evm/batch-settlement/server'
import { expect, test } from 'vitest'
import { artifact } from '../../devnet/artifacts'
import { batchSettlementAddress } from '../../devnet/networks'
import { type Channel, QuittanceChannels } from '../../packages/quittance/src/index'
import { channelSales, STORAGE_WAITS } from './channel-sales'
import { channelIn, newBuyer } from './channel-traffic'
import { NETWORK, PRICE, startStream } from './stream'

// The official server's own interface: the compiler compares them.
const newStorage = (url: string): ChannelStorage & QuittanceChannels =>
  new QuittanceChannels({ url, network: NETWORK, ...STORAGE_WAITS })

const { harness, newSeller } = channelSales({
  startStream: ({ facilitator, receiver, ...settings }, chain) =>
    startStream(chain, facilitator, receiver, { storage: newStorage(facilitator), ...settings }),
  openStorage(url, late) {
    const storage = late ? new QuittanceChannels({ url, network: NETWORK, giveUpAfterMs: 0 }) : newStorage(url)
    return {
      get: (id) => storage.get(id),
      keep: (row) => storage.updateChannel(Object(row).channelId, (): Channel => Object(row)),
      acquire: (...lock) => storage.acquire(...lock),
      release: (...lock) => storage.release(...lock),
      isHeld: (...lock) => storage.isHeld(...lock),
    }
  },
})

const { abi } = artifact('BatchSettlement')

test("the official server's manager claims what is kept here", async () => {
  const seller = await newSeller()
  const storage = newStorage(seller.facilitator)
  const stream = await startStream(harness.chain, seller.facilitator, seller.receiver, { storage })
  const buyer = await newBuyer(harness.chain)
  const id = channelIn((await buyer.buy(stream.url)).receipt)
  await buyer.buy(`${stream.url}?charge=10`)
  const charged = PRICE + 10n
  expect(await storage.list()).toMatchObject([{ channelId: id, chargedCumulativeAmount: String(charged) }])
  expect(await stream.manager.claim()).toMatchObject([{ vouchers: 1 }])
  const asked = { address: batchSettlementAddress, abi, functionName: 'channels', args: [id] }
  expect(Object(await harness.chain.client.readContract(asked))[1]).toBe(charged)
  await stream.stop()
})

test('without a key there is no storage', () => {
  expect(() => new QuittanceChannels({ url: 'https://pay.example/sandbox', network: NETWORK })).toThrow('API key')
})
