import { expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { createCatalog, type PageQuery } from './catalog'
import { type CatalogItem, catalogPage, searchPage } from './schemas'

const database = fixture(freshDatabase)

/** Official clients refuse a longer answer. */
const BYTES_MAX = 4 * 1_024 * 1_024

test('a page of long entries stays below 4 MiB, and pages meet every entry once', async () => {
  const { db } = database
  const long = 'x'.repeat(8_000)
  const bazaar = { info: { input: { type: 'http', note: long } }, schema: { title: long } }
  const words = { name: 'lengthy', about: '' }
  for (let at = 0; at < 100; at++) {
    const entry = newEntry({ bazaar, words, url: `https://long-${at}.com/` })
    await list(db, {
      ...entry,
      accept: { ...entry.accept, requirements: { ...entry.accept.requirements, extra: { note: long } } },
    })
  }
  const catalog = createCatalog(db)
  const filter = { environment: 'testnet', network: null, payTo: null, x402Version: null } as const
  const read = async (asked: Pick<PageQuery, 'words' | 'offset'>) => {
    const { json } = await catalog.page({ filter, limit: 100, ...asked }, 'reader')
    expect(Buffer.byteLength(json)).toBeLessThan(BYTES_MAX)
    return JSON.parse(json)
  }
  const urlsOf = (items: readonly CatalogItem[]) => items.map(({ resource }) => resource)

  const first = catalogPage.parse(await read({ words: null, offset: 0 }))
  expect(first.pagination).toEqual({ limit: first.items.length, offset: 0, total: 100 })
  const second = catalogPage.parse(await read({ words: null, offset: first.pagination.limit }))
  expect(new Set([...urlsOf(first.items), ...urlsOf(second.items)]).size).toBe(100)

  const found = searchPage.parse(await read({ words: 'lengthy', offset: 0 }))
  expect(found.pagination.cursor).not.toBeNull()
  const rest = searchPage.parse(await read({ words: 'lengthy', offset: found.resources.length }))
  expect(new Set([...urlsOf(found.resources), ...urlsOf(rest.resources)]).size).toBe(100)
})
