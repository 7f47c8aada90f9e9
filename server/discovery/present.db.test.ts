import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { fixture } from '../../test/support/fixture'
import { newIp, startReading } from '../../test/support/service/history'
import { type CatalogView, callOf, catalogEntry, catalogView, nearEntries, readCatalogQuery } from './present'

const harness = fixture(startReading)

const headers = () => new Headers({ 'x-quittance-client-ip': newIp() })
type Query = Parameters<typeof readCatalogQuery>[1]

/** The part of the catalog that the query of a page's address shows. */
async function shown(query: Query = {}): Promise<CatalogView> {
  const view = await catalogView(harness.app, headers(), readCatalogQuery(harness.app, query))
  if ('refused' in view) throw new Error(view.refused)
  return view
}

const urlsOf = ({ items }: CatalogView) => items.map(({ item }) => item.resource)

test('an unreadable parameter is ignored: old links lead somewhere', () => {
  const all = { words: '', environment: 'testnet', network: null, asset: null, price: null, tag: null, sort: 'volume', from: 0 }
  expect(readCatalogQuery(harness.app, {})).toEqual(all)
  const broken = { query: ['a', 'b'], environment: 'moon', network: 'eip155:1', price: '7', tag: '', sort: 'price', from: '-3' }
  expect(readCatalogQuery(harness.app, broken)).toEqual(all)
  expect(readCatalogQuery(harness.app, { query: 'x'.repeat(201), from: '1e99' })).toEqual(all)
  expect(readCatalogQuery(harness.app, { query: ' Weather\0 NOW ', from: '48' })).toEqual({
    ...all,
    words: 'weather now',
    from: 48,
  })
})

test('a network chooses its environment', () => {
  const asked = readCatalogQuery(harness.app, { environment: 'testnet', network: 'eip155:8453' })
  expect(asked).toMatchObject({ environment: 'mainnet', network: 'eip155:8453' })
})

test('pages meet every resource of an environment once', async () => {
  const urls = Array.from({ length: 30 }, (_, at) => `https://paged-${at}.com/x`)
  const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  for (const url of urls) await list(harness.app.db, newEntry({ url, environment: 'mainnet' }, { network }))
  harness.app.catalog.changed('mainnet')
  const first = await shown({ environment: 'mainnet', network })
  const second = await shown({ environment: 'mainnet', network, from: String(first.next) })
  expect([first.items.length, first.total, first.before, first.next]).toEqual([24, 30, null, 24])
  expect([second.items.length, second.before, second.next]).toEqual([6, 0, null])
  expect(new Set([...urlsOf(first), ...urlsOf(second)])).toEqual(new Set(urls))
})

test('a tag shows what its merchants tagged so, and nothing else', async () => {
  const [tag, url] = [`tag${randomUUID().slice(0, 8)}`, `https://${randomUUID()}.com/x`]
  await list(harness.app.db, newEntry({ url, tags: ['Weather', tag], words: { name: 'weather', about: '' } }))
  await list(harness.app.db, newEntry({ url: `${url}/untagged`, words: { name: 'weather', about: '' } }))
  expect(urlsOf(await shown({ tag }))).toEqual([url])
  expect(urlsOf(await shown({ tag, query: 'weather' }))).toEqual([url])
  expect(urlsOf(await shown({ tag: `${tag}x` }))).toEqual([])
})

test('a word finds what has it, and only in its environment', async () => {
  const word = `word${randomUUID().slice(0, 8)}`
  const url = `https://${word}.com/x`
  await list(harness.app.db, newEntry({ url }))
  expect(urlsOf(await shown({ query: word }))).toEqual([url])
  expect(await shown({ query: word })).toMatchObject({ total: 1, more: false })
  expect(urlsOf(await shown({ query: word, environment: 'mainnet' }))).toEqual([])
})

test('a highest price leaves out what costs more, in the list and in a search', async () => {
  const word = `priced${randomUUID().slice(0, 8)}`
  const network = 'eip155:84532'
  const [cheap, dear] = [`https://${word}.com/cheap`, `https://${word}.com/dear`]
  const priced = (url: string, maxAmountRequired: string) => {
    const entry = newEntry({ url })
    return { ...entry, accept: { ...entry.accept, requirements: { ...entry.accept.requirements, maxAmountRequired } } }
  }
  await list(harness.app.db, priced(cheap, '10000'))
  await list(harness.app.db, priced(dear, '10001'))
  harness.app.catalog.changed('testnet')
  expect(new Set(urlsOf(await shown({ query: word, price: '0.1' })))).toEqual(new Set([cheap, dear]))
  expect(urlsOf(await shown({ query: word, price: '0.01', network }))).toEqual([cheap])
  expect(urlsOf(await shown({ price: '0.01', network }))).not.toContain(dear)
  expect(urlsOf(await shown({ query: word, price: '0.001' }))).toEqual([])
})

test('a price is compared in its token only, and a resource may be sold for several on one network', async () => {
  const word = `tokens${randomUUID().slice(0, 8)}`
  const [both, euros] = [`https://${word}.com/both`, `https://${word}.com/euros`]
  const priced = (url: string, symbol: string, maxAmountRequired: string) => {
    const entry = newEntry({ url, owner: `tenant:${word}` })
    const requirements = { ...entry.accept.requirements, maxAmountRequired }
    return { ...entry, accept: { ...entry.accept, symbol, requirements } }
  }
  await list(harness.app.db, priced(both, 'USDC', '10000'))
  await list(harness.app.db, priced(both, 'EURC', '1000'))
  await list(harness.app.db, priced(euros, 'EURC', '10000'))
  harness.app.catalog.changed('testnet')
  const found = async (query: Query) => new Set(urlsOf(await shown({ query: word, ...query })))
  expect(await found({ price: '0.001' })).toEqual(new Set())
  expect(await found({ price: '0.01' })).toEqual(new Set([both]))
  expect(await found({ price: '0.001', asset: 'EURC' })).toEqual(new Set([both]))
  expect(await found({ asset: 'EURC' })).toEqual(new Set([both, euros]))
  const { items } = await shown({ query: word, asset: 'USDC' })
  expect(items.map(({ item }) => item.accepts.map(({ maxAmountRequired }) => maxAmountRequired))).toEqual([['1000', '10000']])
})

describe('the page of a resource', () => {
  const entry = (query: Query) => catalogEntry(harness.app, headers(), query)

  test('is found by environment and address', async () => {
    const { url } = newEntry()
    await list(harness.app.db, newEntry({ url }))
    expect(await entry({ environment: 'testnet', url })).toMatchObject({ item: { resource: url, description: 'A thing' } })
    expect(await entry({ environment: 'mainnet', url })).toBeNull()
  })

  test('is not there for anything else', async () => {
    for (const query of [
      {},
      { environment: 'testnet' },
      { environment: 'testnet', url: '\0' },
      { environment: 'x', url: 'https://a.com/' },
    ])
      expect(await entry(query)).toBeNull()
    expect(await entry({ environment: 'testnet', url: ['https://a.com/', 'https://b.com/'] })).toBeNull()
  })
})

test('a reader with too many requests gets a message', async () => {
  const flood = headers()
  const asked = readCatalogQuery(harness.app, {})
  const views = await Promise.all(Array.from({ length: 120 }, () => catalogView(harness.app, flood, asked)))
  expect(views.filter((view) => 'refused' in view).length).toBeGreaterThan(0)
})

describe('how to call a resource', () => {
  const item = { resource: 'https://a.com/x', type: 'http', x402Version: 2, accepts: [], lastUpdated: '', metadata: {} } as const
  const declaring = (info: Record<string, unknown>) =>
    callOf({ ...item, accepts: [], extensions: { bazaar: { info, schema: {} } } })

  test('is what it declared', () => {
    expect(declaring({ input: { method: 'POST', body: { city: 'Lisbon' } } })).toMatchObject({
      method: 'POST',
      body: { city: 'Lisbon' },
    })
  })

  test('is GET without a body where it declared nothing that can be done', () => {
    for (const info of [{}, { input: 'x' }, { input: { method: '; rm' } }, { input: { method: 'GET', body: { a: 1 } } }])
      expect(declaring(info)).toEqual({ url: item.resource, method: 'GET', body: null })
    expect(callOf({ ...item, accepts: [] })).toEqual({ url: item.resource, method: 'GET', body: null })
  })
})

test('a missing resource has the entries of its host, and those with the words of its path, near it', async () => {
  const [same, like, other] = ['https://gone-api.test/v2/report', 'https://elsewhere.test/tides', 'https://third.test/poems']
  const about = { [same]: 'report', [like]: 'tides', [other]: 'poems' }
  for (const [url, words] of Object.entries(about)) {
    await list(harness.app.db, newEntry({ url, words: { name: url.replace('https://', ''), about: words } }))
  }
  harness.app.catalog.changed('testnet')
  const near = async (url: string, environment = 'testnet') => {
    const found = await nearEntries(harness.app, headers(), { environment, url })
    return found.map(({ resource }) => resource)
  }
  expect(await near('https://gone-api.test/tides')).toEqual(expect.arrayContaining([same, like]))
  expect(await near('https://gone-api.test/tides')).not.toContain(other)
  expect(await near('https://nowhere.test/a/b/zebra')).toEqual([])
  expect([await near('', 'testnet'), await near(same, 'moon')]).toEqual([[], []])
})
