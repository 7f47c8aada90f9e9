import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CatalogQuery } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { builtInNetworks } from '@/server/x402/networks/built-in-networks'
import { addNetwork, resetNetworks } from '@/server/x402/networks/networks'
import { htmlOf } from '@/test/support/snippets'
import { EntryTable } from './entries'
import { Narrow } from './narrow'
import { Search } from './search'

const asked: CatalogQuery = {
  words: '',
  environment: 'mainnet',
  network: null,
  asset: 'USDT0',
  price: null,
  tag: null,
  sort: 'volume',
  from: 0,
}

beforeEach(() => builtInNetworks.forEach(addNetwork))
afterEach(resetNetworks)

/** A resource that accepts these amounts of the first token of built-in networks. */
function itemOn(...ways: (readonly [network: string, amount: string])[]): CatalogItem {
  const resource = `https://shop.com/${ways.length}`
  return {
    resource,
    type: 'http',
    x402Version: 2,
    lastUpdated: '2026-11-21T12:34:56.000Z',
    metadata: {},
    accepts: ways.map(([name, maxAmountRequired]) => {
      const row = builtInNetworks.find((one) => one.name === name)
      if (!row) throw new Error(`${name} is not built in`)
      return {
        scheme: 'exact',
        network: `eip155:${row.chainId}`,
        maxAmountRequired,
        resource,
        description: '',
        mimeType: '',
        payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        maxTimeoutSeconds: 60,
        asset: row.assets[0].address,
        extra: {},
      }
    }),
  }
}

const listOf = (...items: CatalogItem[]) =>
  htmlOf(<EntryTable items={items.map((item) => ({ item, figures: null, isNew: false, days: null }))} environment="mainnet" />)

const titlesOf = (list: string) => [...list.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, title]) => title)

test('many networks and tokens are lists behind the chosen one, of which one is open at a time', async () => {
  const page = await htmlOf(<Narrow asked={asked} />)
  const menus = [...page.matchAll(/<details [^>]*name="(\w+)"[^>]*><summary[^>]*>([^<]*)</g)]
  // Once for wide screens, and once for phones.
  expect(menus.map(([, name, chosen]) => `${name} ${chosen}`)).toEqual(Array(2).fill(['choices All', 'choices USDT0']).flat())
  expect(page).toMatch(/<a href="\/catalog\?environment=mainnet&amp;network=eip155%3A137&amp;asset=USDT0"[^>]*>Polygon<\/a>/)
})

test('a search keeps the token', async () => {
  expect(await htmlOf(<Search asked={asked} />)).toContain('<input type="hidden" name="asset" value="USDT0"/>')
})

test('prices in several tokens align, with their tokens in a column of their own', async () => {
  const list = await listOf(itemOn(['polygon', '12000'], ['flare', '1500']), itemOn(['arbitrum', '1250000']))
  expect(titlesOf(list).slice(0, 4)).toEqual(['Resource', 'Price', 'Token', 'Network'])
  expect(list).toContain('data-rest="0">0.012<')
  expect(list).toContain('data-rest="">0.0015<')
  expect(list).toContain('data-rest="00">1.25<')
  expect(list).toMatch(/>USDC<\/span><span[^>]*>USDT0</)
})

test('prices in one token have no such column', async () => {
  const list = await listOf(itemOn(['polygon', '12000']))
  expect(titlesOf(list).slice(0, 3)).toEqual(['Resource', 'Price, USDC', 'Network'])
})

test('a row names three networks, or two and how many more', async () => {
  const all = ['polygon', 'arbitrum', 'celo', 'sei'].map((name) => [name, '1000'] as const)
  expect(await listOf(itemOn(...all.slice(0, 3)))).toContain('>Celo</span>')
  const list = await listOf(itemOn(...all))
  expect(list).toContain('title="Celo, Sei">and 2 more</span>')
})
