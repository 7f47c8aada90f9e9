import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HIGH_CAPS, list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { freshEmbedded } from '../../test/support/database/embedded'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import type { Db } from '../db/database'
import { findDeclared, findHolder, pruneEntries, writeEntry } from './entry-queries'
import { type CatalogFilter, listEntries, searchEntries } from './queries'

const database = fixture(freshDatabase)

const everything: CatalogFilter = { environment: 'testnet', network: null, payTo: null, x402Version: null }
const PART = { limit: 100, offset: 0 }

async function acceptsOf(url: string): Promise<unknown> {
  const { entries } = await listEntries(database.db, everything, PART)
  return entries.find((entry) => entry.url === url)?.accepts
}
const seen = (url: string, daysAgo: number) =>
  database.db.resource.updateMany({ where: { url }, data: { lastSeen: new Date(Date.now() - daysAgo * 86_400_000) } })

describe('an entry', () => {
  test('is written once for each effect, with its mark', async () => {
    const { id } = await database.db.outbox.create({ data: { kind: 'catalog', key: randomUUID() } })
    const entry = newEntry()
    expect(await writeEntry(database.db, id, entry, HIGH_CAPS)).toBe('changed')
    const again = newEntry({ url: entry.url, owner: entry.owner, digest: 'second' })
    expect(await writeEntry(database.db, id, again, HIGH_CAPS)).toBe('refused')
    expect(await database.db.resource.findFirst({ where: { url: entry.url } })).toMatchObject({ digest: 'first' })
  })

  test('seen again unchanged is left alone; changed or not seen for minutes, it is written', async () => {
    const entry = newEntry()
    await list(database.db, entry)
    expect(await list(database.db, entry)).toBe('unchanged')
    expect(await list(database.db, { ...entry, digest: 'second', description: 'Another thing' })).toBe('changed')
    await seen(entry.url, 1)
    await list(database.db, entry)
    const row = await database.db.resource.findFirstOrThrow({ where: { url: entry.url } })
    expect(row.lastSeen.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
  })

  test('has one way to pay for each network, the newest', async () => {
    const entry = newEntry()
    const on = (network: string, price: string) =>
      list(database.db, { ...entry, accept: { ...entry.accept, network, requirements: { network, price } } })
    await on('eip155:84532', '1')
    await on('solana:devnet', '2')
    expect(await on('eip155:84532', '3')).toBe('changed')
    expect(await acceptsOf(entry.url)).toEqual([
      { network: 'eip155:84532', price: '3' },
      { network: 'solana:devnet', price: '2' },
    ])
  })
})

test('ways to pay for a new address that come at one moment are all kept', async () => {
  const entry = newEntry()
  const networks = Array.from({ length: 8 }, (_, at) => `net:${at}`)
  const writes = networks.map((network) =>
    list(database.db, { ...entry, accept: { ...entry.accept, network, requirements: { network } } }),
  )
  expect(new Set(await Promise.all(writes))).toEqual(new Set(['changed']))
  expect(await acceptsOf(entry.url)).toEqual(networks.map((network) => ({ network })))
})

describe('new entries', () => {
  const spam = async (count: number, of: Parameters<typeof newEntry>[0], caps: Partial<typeof HIGH_CAPS>) => {
    const ends: string[] = []
    for (let at = 0; at < count; at++) {
      const url = of?.host === undefined ? undefined : `https://${of.host}/${at}`
      ends.push(await list(database.db, newEntry({ ...of, ...(url ? { url } : {}) }), { ...HIGH_CAPS, ...caps }))
    }
    return ends.filter((end) => end === 'changed').length
  }

  test('of one owner are limited; listed ones are still refreshed', async () => {
    const entry = newEntry({ owner: 'tenant:spammer' })
    await list(database.db, entry)
    expect(await spam(5, { owner: 'tenant:spammer' }, { ofOwner: 3 })).toBe(2)
    expect(await list(database.db, { ...entry, digest: 'second' }, { ...HIGH_CAPS, ofOwner: 3 })).toBe('changed')
  })

  test('of one host are limited, for any payer', async () => {
    expect(await spam(5, { host: 'many.com' }, { ofHost: 3 })).toBe(3)
  })

  test('of a host that others have filled are possible for its owners', async () => {
    await spam(5, { host: 'filled.com', owner: 'tenant:other' }, {})
    const mine = { host: 'filled.com', owner: 'tenant:mine' }
    const ends = ['a', 'b', 'c'].map((path) => newEntry({ ...mine, url: `https://filled.com/${path}` }))
    const caps = { ...HIGH_CAPS, ofHost: 3, ofOwnerOnFullHost: 2 }
    expect([await list(database.db, ends[0] ?? newEntry(), caps), await list(database.db, ends[1] ?? newEntry(), caps)]).toEqual([
      'changed',
      'changed',
    ])
    expect(await list(database.db, ends[2] ?? newEntry(), caps)).toBe('refused')
  })

  test('count where they were taken over, too', async () => {
    const urls = ['/1', '/2', '/3'].map((path) => `https://left-behind.com${path}`)
    for (const url of urls) await list(database.db, newEntry({ url, owner: 'ip:10.8.8.8', class: 'sandbox' }))
    await database.db.resource.updateMany({
      where: { owner: 'ip:10.8.8.8' },
      data: { lastSeen: new Date(Date.now() - 90_000_000) },
    })
    const visitor = { owner: 'ip:10.7.7.7', class: 'sandbox' } as const
    const ends: string[] = []
    for (const url of urls)
      ends.push(await list(database.db, newEntry({ url, ...visitor }), { ...HIGH_CAPS, ofOwner: 1, perDay: true }))
    expect(ends).toEqual(['changed', 'refused', 'refused'])
  })

  test('of one sandbox address are limited per day', async () => {
    const visitor = { owner: 'ip:10.9.9.9', class: 'sandbox' } as const
    expect(await spam(4, visitor, { ofOwner: 2, perDay: true })).toBe(2)
    await database.db.resource.updateMany({
      where: { owner: visitor.owner },
      data: { firstSeen: new Date(Date.now() - 90_000_000) },
    })
    expect(await spam(4, visitor, { ofOwner: 2, perDay: true })).toBe(2)
  })
})

describe('a page', () => {
  test('holds what was seen last first, in one order, with how many there are', async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.close())
    const entries = Array.from({ length: 7 }, () => newEntry())
    for (const entry of entries) await list(fresh.db, entry)
    // All at one moment: then the id decides.
    await fresh.db.resource.updateMany({ data: { lastSeen: new Date() } })
    const pages = await Promise.all([0, 3, 6].map((offset) => listEntries(fresh.db, everything, { limit: 3, offset })))
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7])
    expect(pages.flatMap((page) => page.entries.map(({ url }) => url))).toEqual(entries.map(({ url }) => url))
    const data = { lastSeen: new Date(Date.now() + 1_000) }
    await fresh.db.resource.updateMany({ where: { url: entries[4]?.url ?? '' }, data })
    expect((await listEntries(fresh.db, everything, { limit: 1, offset: 0 })).entries[0]?.url).toBe(entries[4]?.url)
  })

  test('is narrowed by network, payTo and version', async () => {
    const payTo = '0x4444444444444444444444444444444444444444'
    const entry = newEntry({ x402Version: 1 }, { payTo, network: 'solana:devnet' })
    await list(database.db, entry)
    const found = async (filter: Partial<CatalogFilter>) => {
      const { entries, total } = await listEntries(database.db, { ...everything, ...filter }, PART)
      expect(entries).toHaveLength(total)
      return entries.map(({ url }) => url)
    }
    expect(await found({ payTo })).toEqual([entry.url])
    expect(await found({ payTo, network: 'solana:devnet', x402Version: 1 })).toEqual([entry.url])
    expect(await found({ payTo, network: 'eip155:84532' })).toEqual([])
    expect(await found({ payTo, x402Version: 2 })).toEqual([])
    expect(await found({ payTo, environment: 'mainnet' })).toEqual([])
  })

  test('shows nothing that was not seen for 90 days, and housekeeping deletes it with its ways to pay', async () => {
    const [gone, kept] = [newEntry(), newEntry()]
    for (const entry of [gone, kept]) await list(database.db, entry)
    await seen(gone.url, 90.1)
    await seen(kept.url, 89.9)
    const shown = (await listEntries(database.db, everything, PART)).entries.map(({ url }) => url)
    expect([shown.includes(gone.url), shown.includes(kept.url)]).toEqual([false, true])
    const { id } = await database.db.resource.findFirstOrThrow({ where: { url: gone.url } })
    expect(await pruneEntries(database.db, 1_000)).toBe(1)
    expect(await database.db.resourceAccept.count({ where: { resourceId: id } })).toBe(0)
  })
})

async function findsByWords(on: Db): Promise<void> {
  const forecast = newEntry({ url: 'https://meteo.com/forecast/:city', description: "Tomorrow's weather in any city" })
  const quotes = newEntry({ url: 'https://sayings.com/quote', description: 'Sentences about the weather and life' })
  for (const entry of [forecast, quotes]) await list(on, entry)
  const found = async (words: string, part = PART, filter = everything) =>
    (await searchEntries(on, words, filter, part)).entries.map(({ url }) => url)
  // Any word will do, and more matches rank higher.
  expect(await found('i need forecasts of the weather')).toEqual([forecast.url, quotes.url])
  expect(await found('sayings')).toEqual([quotes.url])
  expect(await found('weather', { limit: 1, offset: 1 })).toHaveLength(1)
  expect(await found('weather', PART, { ...everything, environment: 'mainnet' })).toEqual([])
  for (const odd of ['the', '!&|()', "'; DROP TABLE x; --", 'a & !b', '<->', ':*', '\\']) await found(odd)
}

test('a search finds entries by any of its words, best match first', () => findsByWords(database.db))

inLongRuns(() => {
  test('the same on the embedded database', async () => {
    const own = await freshEmbedded()
    await findsByWords(own)
    const entry = newEntry({}, { requirements: { of: 'the owner' } })
    expect(await list(own, entry)).toBe('changed')
    expect(await list(own, entry)).toBe('unchanged')
    expect(await list(own, newEntry({ url: entry.url }))).toBe('refused')
    expect((await listEntries(own, everything, PART)).total).toBe(3)
    expect(await pruneEntries(own, 10)).toBe(0)
  })
})

test.each([
  ['agent', 'eip155:84532', 'free'],
  ['agent', 'eip155:8453', 'production'],
  ['free', 'eip155:8453', 'free'],
  ['growth', 'eip155:84532', 'production'],
])('what the plan %s paid for on %s is of class %s: credits on a testnet cost nothing', async (plan, network, expected) => {
  const { db } = database
  const { id } = await newClaimed(db, { network, tier: 'standard' })
  await db.settlement.update({ where: { id }, data: { plan } })
  expect(await findDeclared(db, id)).toMatchObject({ class: expected })
})

describe('the URL of an MCP server', () => {
  const url = 'https://tools.com/mcp'
  const tool = (name: string) => ({ url: `${url}-${name}#weather`, type: 'mcp' }) as const
  const payTo = '0x4444444444444444444444444444444444444444'

  test('that has an owner gets no tool or page of another one without its proof', async () => {
    const owned = newEntry(tool('a'))
    await list(database.db, owned)
    for (const key of [`${url}-a#forecast`, `${url}-a`]) {
      const stranger = newEntry({ url: key }, { payTo })
      expect(await findHolder(database.db, stranger)).toMatchObject({ owner: owned.owner, same: false })
      expect(await list(database.db, stranger)).toBe('refused')
      const { id } = await database.db.outbox.create({ data: { kind: 'catalog', key: randomUUID() } })
      expect(await writeEntry(database.db, id, stranger, HIGH_CAPS, owned.owner)).toBe('changed')
      // Proven once, it is renewed like any other.
      expect(await findHolder(database.db, stranger)).toBeNull()
      expect(await list(database.db, { ...stranger, digest: 'second' })).toBe('changed')
      await database.db.resource.deleteMany({ where: { url: key } })
    }
  })

  test('has all tools of its owner, and a neighbour is another URL', async () => {
    const owned = newEntry(tool('b'))
    await list(database.db, owned)
    for (const key of [`${url}-b#forecast`, `${url}-b`]) {
      expect(await list(database.db, newEntry({ url: key, owner: owned.owner }))).toBe('changed')
    }
    for (const key of [`${url}-b/more#weather`, `${url}-bb`])
      expect(await list(database.db, newEntry({ url: key }))).toBe('changed')
  })
})
