import { expect, test } from 'vitest'
import { STREAM, startMerchant } from '@/devnet/merchant'
import { createPayer } from '@/devnet/payer'
import type { CatalogItem } from '@/server/discovery/schemas'
import { wallet } from '@/test/interop/official-clients'
import { LONG, newAddress, PRICE, programHarness } from '@/test/support/service/program-harness'
import { openMerchant, runCommands, runModule } from '@/test/support/service/shown-programs'
import { snippetsIn } from '@/test/support/snippets'
import { until } from '@/test/support/until'
import { discoverableRoute } from '../../client/programs/discovery'
import { expressProgram } from '../../client/programs/merchants'
import { Resource } from './resource'

const service = programHarness()

/** The first listing of a merchant on a network. Waits until there is one. */
async function listedOf(payTo: string, network = 'eip155:8453'): Promise<CatalogItem | undefined> {
  let items: CatalogItem[] = []
  const look = async () => {
    const answer = await fetch(`${service().baseUrl}/discovery/resources?network=${network}&payTo=${payTo}`)
    items = (await answer.json()).items
    return items.length > 0
  }
  await until(look, 'the catalog listing', 60_000)
  return items[0]
}

test(
  'a route declared as the dashboard shows gets listed when paid, and its catalog page shows how to call it',
  async () => {
    const { chain } = service().networks.base
    const payTo = newAddress()
    const sale = { url: await service().facilitatorUrl(), network: 'eip155:8453', payTo } as const
    const declared = discoverableRoute().replaceAll('0xYourAddress', payTo)
    const program = expressProgram(sale).replace(/^const prices = .*?^}/ms, declared)
    const server = await openMerchant('Express', program)
    try {
      await createPayer(await wallet(chain)).pay(`${server.url}?city=Lisbon`)
      const item = await listedOf(payTo)
      if (!item) throw new Error('the catalog lists nothing')
      expect(item).toMatchObject({ resource: server.url, description: 'The weather, for a tenth of a cent' })

      const shown = await snippetsIn(<Resource item={item} figures={null} isNew={false} days={null} />)
      expect(await runCommands(shown.get('Check the price with curl') ?? '', {})).toMatch(/^HTTP\/1\.1 402 /)
      const PRIVATE_KEY = await wallet(chain)
      expect(await runModule(shown.get('With @x402/fetch') ?? '', { PRIVATE_KEY })).toBe('200 {"weather":"sunny"}\n')
      expect(await chain.tokens(payTo)).toBe(2n * PRICE)
    } finally {
      await server.close()
    }
  },
  LONG,
)

test(
  'a stream that is sold through channels is listed by its first deposit, and its catalog page shows a program that buys it',
  async () => {
    const { chain, id: network } = service().networks.sepolia
    const payTo = newAddress()
    const merchant = await startMerchant({ facilitatorUrl: await service().facilitatorUrl(), payTo, network, channels: true })
    try {
      expect(await createPayer(await wallet(chain)).pay(`${merchant.url}${STREAM}`)).toMatchObject({ status: 200 })
      const item = await listedOf(payTo, network)
      if (!item) throw new Error('the catalog lists nothing')
      const shown = await snippetsIn(<Resource item={item} figures={null} isNew={false} days={null} />)
      const PRIVATE_KEY = await wallet(chain)
      expect(await runModule(shown.get('With @x402/fetch') ?? '', { PRIVATE_KEY })).toMatch(/^200 \{/)
    } finally {
      await merchant.stop()
      service().recorder.take()
    }
  },
  LONG,
)
