import { expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newOwner, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import type { Environment } from '../x402/networks/networks'
import { ownListings } from './catalog'

const database = fixture(freshDatabase)

const listingsOf = (merchant: string, part = { limit: 10, offset: 0 }, environment: Environment = 'testnet') =>
  ownListings(database, ofSubject(merchant), { environment, ...part })

/** So many resources of one new key of an owner. */
async function selling(owner: string, count: number, ownerKind = 'oidc', data: { historyEnabled?: boolean } = {}) {
  const tenantId = await tenantOf(database.db, owner, ownerKind, data)
  const entries = Array.from({ length: count }, () => newEntry({ owner: `tenant:${tenantId}` }))
  for (const entry of entries) await list(database.db, entry)
  return { tenantId, urls: entries.map(({ url }) => url) }
}

test('a merchant sees all listings of its keys, and no others', async () => {
  const [me, other] = [newOwner(), newOwner()]
  const [first, second] = [await selling(me, 2), await selling(me, 1)]
  await selling(other, 1)
  const { listings, hasMore } = await listingsOf(me)
  expect(new Set(listings.map(({ url }) => url))).toEqual(new Set([...first.urls, ...second.urls]))
  expect(hasMore).toBe(false)
  expect(listings[0]).toMatchObject({ listed: true, networks: ['eip155:84532'], keyRevoked: false, optedOut: false })
  expect((await listingsOf(me, undefined, 'mainnet')).listings).toEqual([])
})

test('a wallet of the same name is another owner', async () => {
  const name = newOwner()
  await selling(name, 1, 'wallet')
  expect((await listingsOf(name)).listings).toEqual([])
})

test('a listing shows its expiry: 90 days after it was last paid for', async () => {
  const me = newOwner()
  const { urls } = await selling(me, 1)
  const [fresh] = (await listingsOf(me)).listings
  expect(fresh && fresh.until.getTime() - fresh.lastSeen.getTime()).toBe(90 * 86_400_000)
  await database.db.resource.updateMany({
    where: { url: urls[0] ?? '' },
    data: { lastSeen: new Date(Date.now() - 91 * 86_400_000) },
  })
  expect((await listingsOf(me)).listings).toMatchObject([{ listed: false }])
})

test('a listing says why its key will not keep it alive', async () => {
  const me = newOwner()
  await selling(me, 1, 'oidc', { historyEnabled: false })
  expect((await listingsOf(me)).listings).toMatchObject([{ optedOut: true, keyRevoked: false }])
  await database.db.tenant.updateMany({ where: { ownerId: me }, data: { revokedAt: new Date() } })
  expect((await listingsOf(me)).listings).toMatchObject([{ keyRevoked: true }])
})

test('the sums are of all listings, on any page, and leave out the figures of keys without history', async () => {
  const me = newOwner()
  const { urls } = await selling(me, 3)
  const silent = await selling(me, 1, 'oidc', { historyEnabled: false })
  const { db } = database
  await db.resource.updateMany({ where: { url: { in: [...urls, ...silent.urls] } }, data: { calls: 2, volume: 500 } })
  await db.resource.updateMany({
    where: { url: urls[0] ?? '' },
    data: { lastSeen: new Date(Date.now() - 91 * 86_400_000) },
  })
  const sums = { listings: 4, listed: 3, calls: 6, volume: '1500' }
  expect((await listingsOf(me, { limit: 1, offset: 3 })).sums).toEqual(sums)
  expect((await listingsOf(newOwner())).sums).toEqual({ listings: 0, listed: 0, calls: 0, volume: '0' })
})

test('listings come by the volume that they show, and the newest payment first among equals', async () => {
  const me = newOwner()
  const { urls } = await selling(me, 3)
  const silent = await selling(me, 1, 'oidc', { historyEnabled: false })
  const [most = '', older = '', newer = ''] = urls
  const { resource } = database.db
  await resource.updateMany({ where: { url: { in: [most, ...silent.urls] } }, data: { volume: 500 } })
  for (const [url, ago] of [
    [most, 4],
    [silent.urls[0] ?? '', 3],
    [older, 2],
    [newer, 1],
  ] as const)
    await resource.updateMany({ where: { url }, data: { lastSeen: new Date(Date.now() - ago * 60_000) } })
  expect((await listingsOf(me)).listings.map(({ url }) => url)).toEqual([most, newer, older, ...silent.urls])
})

test('pages meet every listing once', async () => {
  const me = newOwner()
  const { urls } = await selling(me, 5)
  const pages = [await listingsOf(me, { limit: 3, offset: 0 }), await listingsOf(me, { limit: 3, offset: 3 })]
  expect(pages.map(({ listings, hasMore }) => [listings.length, hasMore])).toEqual([
    [3, true],
    [2, false],
  ])
  expect(new Set(pages.flatMap(({ listings }) => listings.map(({ url }) => url)))).toEqual(new Set(urls))
})
