import { beforeEach, describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { SANDBOX_TENANT } from '../accounts/caller'
import { DAY_MS } from '../base/durations'
import { dailyCalls, FIGURE_DAYS, pruneResourceDays, refreshAllFigures } from '../sums/resource-queries'
import { dirtyDays, noteDay, rollDay } from '../sums/rollup-queries'
import { createCatalog } from './catalog'
import { type CatalogFilter, type CatalogOrder, listEntries, sumEntries } from './queries'

const database = fixture(freshDatabase)
const PAY_TO = '0x2222222222222222222222222222222222222222'
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS)

let shops = 0
let ownerId: string
let tenantId: string
beforeEach(async () => {
  ownerId = newOwner()
  tenantId = await tenantOf(database.db, ownerId)
})

const newUrl = (path = '/weather') => `https://figures-${++shops}.com${path}`

type Row = Partial<Parameters<typeof newRow>[0]>
async function paid(resource: string, rows: Row[]): Promise<void> {
  const common = { tenantId, ownerId, network: 'eip155:84532', payTo: PAY_TO, resource, createdAt: at(2) }
  for (const row of rows) await database.db.history.create({ data: newRow({ ...common, ...row }) })
}

async function rollAll(): Promise<void> {
  const first = at(40).toISOString().slice(0, 10)
  await database.db.execute`UPDATE "RollupCursor" SET "day" = LEAST("day", ${first}::date)`
  while (await noteDay(database.db));
  for (const day of await dirtyDays(database.db, 10_000)) await rollDay(database.db, day)
  await refreshAllFigures(database.db, () => false)
}

const everything: CatalogFilter = { environment: 'testnet', network: null, payTo: null, x402Version: null }
async function figuresOf(url: string) {
  const { entries } = await listEntries(database.db, { ...everything, url }, { limit: 1, offset: 0 })
  return entries[0]?.figures
}

describe('the figures of a listed resource', () => {
  test("count the owner's payments of 30 completed days, with any query, each wallet once", async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
    await paid(url, [{ payer: '0xa' }, { payer: '0xa', createdAt: at(9) }, { payer: '0xb', amount: '500' }])
    await paid(`${url}?city=Lisbon#top`, [{ payer: '0xc' }])
    const failed = { success: false, settleMs: null }
    await paid(url, [{ ...failed, errorReason: 'settlement_reversed' }])
    // Payers made these fail.
    await paid(url, [{ ...failed, errorReason: 'insufficient_funds', payer: '0xd' }])
    await paid(url, [{ ...failed, settleMs: 90, errorReason: 'authorization_used_elsewhere' }])
    await paid(url, [{ createdAt: at(0) }, { createdAt: at(35) }])
    await paid(newUrl(), [{}])
    await rollAll()
    expect(await figuresOf(url)).toEqual({ tries: 5, calls: 4, callers: 3, volume: '3500' })
    const { json } = await createCatalog(database.db).page(
      { filter: { ...everything, url }, words: null, limit: 1, offset: 0 },
      'reader',
    )
    expect(JSON.parse(json).items[0].quality).toEqual({
      l30DaysTotalCalls: 4,
      l30DaysUniquePayers: 3,
      lastCalledAt: expect.stringMatching(/Z$/),
      successRate: 0.8,
    })
    const days = (await dailyCalls(database.db, 'testnet', [url, newUrl()])).get(url)
    expect([days?.length, days?.at(-2), days?.at(-9), days?.reduce((sum, calls) => sum + calls, 0)]).toEqual([
      FIGURE_DAYS,
      3,
      1,
      4,
    ])
    expect((await dailyCalls(database.db, 'mainnet', [url])).size).toBe(0)
  })

  test('are summed over a list and over a search, without keys that keep no history', async () => {
    const tag = `tag-${tenantId}`
    const word = `brimborion${shops}`
    const silent = await tenantOf(database.db, newOwner())
    const listed = async (owner: string, words = 'nothing') => {
      const url = newUrl()
      await list(database.db, newEntry({ url, owner: `tenant:${owner}`, tags: [tag], words: { name: words, about: '' } }))
      return url
    }
    const [found, other] = [await listed(tenantId, word), await listed(tenantId)]
    await listed(tenantId)
    const hidden = await listed(silent, word)
    await paid(found, [{ amount: '700' }, { amount: '100' }])
    await paid(other, [{ amount: '50' }])
    await paid(hidden, [{ tenantId: silent }])
    await rollAll()
    await database.db.tenant.update({ where: { id: silent }, data: { historyEnabled: false } })
    const filter = { ...everything, tag }
    expect(await sumEntries(database.db, filter, null)).toEqual({ calls: 3, volume: '850', partial: false })
    expect(await sumEntries(database.db, filter, `${word} elsewhere`)).toEqual({ calls: 2, volume: '800', partial: false })
    expect(await sumEntries(database.db, { ...filter, tag: 'none' }, null)).toEqual({ calls: 0, volume: '0', partial: false })
  })

  test('count calls in any token, with the volume of USDC alone', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
    await paid(url, [{ amount: '700' }, { amount: '9', symbol: 'EURC' }])
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ calls: 2, volume: '700' })
  })

  test('count calls of a route with a template, on the networks of its catalog only', async () => {
    const url = newUrl('/users/:id')
    const bazaar = { info: { input: { type: 'http' } }, schema: {}, routeTemplate: '/users/:id' }
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}`, bazaar }))
    await paid(url.replace(':id', '7'), [{}, { network: 'eip155:8453' }])
    await paid(url.replace(':id', '8'), [{}])
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ calls: 2, callers: 2 })
  })

  test('of a tool count the payments that name it, and not those of the other tools at its URL', async () => {
    const url = newUrl('/mcp')
    for (const tool of ['rain', 'wind'])
      await list(database.db, newEntry({ url: `${url}#${tool}`, type: 'mcp', owner: `tenant:${tenantId}` }))
    for (const toolName of ['rain', 'rain', 'wind']) {
      const declared = { extensions: { bazaar: { info: { input: { type: 'mcp', toolName } }, schema: {} } } }
      const { id: settlementId } = await newClaimed(database.db, { resource: url, declared, network: 'eip155:84532' })
      await paid(url, [{ settlementId, payer: `0x${toolName}` }])
    }
    await paid(url, [{}])
    await rollAll()
    expect(await figuresOf(`${url}#rain`)).toEqual({ tries: 2, calls: 2, callers: 1, volume: '2000' })
    expect(await figuresOf(`${url}#wind`)).toEqual({ tries: 1, calls: 1, callers: 1, volume: '1000' })
  })

  test('leave out payments of other owners, and disappear when the key keeps no history', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
    const other = newOwner()
    await paid(url, [{}, { tenantId: await tenantOf(database.db, other), ownerId: other }])
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ calls: 1 })
    await database.db.tenant.update({ where: { id: tenantId }, data: { historyEnabled: false } })
    expect(await figuresOf(url)).toBeNull()
    await refreshAllFigures(database.db, () => false)
    expect(await database.db.resource.findFirst({ where: { url } })).toMatchObject({ calls: 0, callers: 0 })
  })

  test('count the payments of each key of its owner that keeps history', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
    const [second, silent] = [await tenantOf(database.db, ownerId), await tenantOf(database.db, ownerId)]
    await paid(url, [{ payer: '0xa' }, { payer: '0xa', tenantId: second }, { payer: '0xb', tenantId: second }])
    await paid(url, [{ payer: '0xc', tenantId: silent }])
    await database.db.tenant.update({ where: { id: silent }, data: { historyEnabled: false } })
    await rollAll()
    expect(await figuresOf(url)).toEqual({ tries: 3, calls: 3, callers: 2, volume: '3000' })
    const [days] = (await dailyCalls(database.db, 'testnet', [url])).values()
    expect(days?.reduce((sum, calls) => sum + calls, 0)).toBe(3)
  })

  test('of a day on which the URL changed hands are those of its new owner', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: 'ip:192.0.2.4', class: 'sandbox' }))
    await paid(url, [{ tenantId: SANDBOX_TENANT }, {}])
    await rollAll()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}`, digest: 'second' }))
    await database.db.execute`UPDATE "RollupDay" SET "state" = 'dirty'`
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ tries: 1, calls: 1 })
  })

  test('leave out what an owner pays itself: from its wallet, from a payTo of any of its keys, from one that it lists', async () => {
    const url = newUrl()
    const wallet = `0x${'a'.repeat(40)}`
    const [mine, other] = [await tenantOf(database.db, wallet, 'wallet'), await tenantOf(database.db, wallet, 'wallet')]
    await database.db.tenant.update({ where: { id: other }, data: { payToAllow: ['0xallowed'] } })
    await list(database.db, newEntry({ url, owner: `tenant:${mine}` }))
    await list(database.db, newEntry({ owner: `tenant:${other}` }, { payTo: '0xlisted' }))
    const own = [wallet, '0xallowed', '0xlisted', PAY_TO]
    await paid(
      url,
      ['0xcustomer', ...own].map((payer) => ({ payer, tenantId: mine, ownerKind: 'wallet', ownerId: wallet })),
    )
    await rollAll()
    expect(await figuresOf(url)).toEqual({ tries: 1, calls: 1, callers: 1, volume: '1000' })
  })

  test('leave out what a sandbox caller pays itself', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: 'ip:192.0.2.3', class: 'sandbox' }))
    await list(database.db, newEntry({ owner: 'ip:192.0.2.3', class: 'sandbox' }, { payTo: '0xsecond' }))
    await paid(
      url,
      ['0xcustomer', '0xsecond'].map((payer) => ({ payer, tenantId: SANDBOX_TENANT })),
    )
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ calls: 1 })
  })

  test('in the sandbox count only payments to the address of the listing', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: 'ip:192.0.2.1', class: 'sandbox' }))
    await paid(url, [{ tenantId: SANDBOX_TENANT }, { tenantId: SANDBOX_TENANT, payTo: '0xelse' }])
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ calls: 1 })
  })

  test('begin again for a new owner of the URL', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: 'ip:192.0.2.2', class: 'sandbox' }))
    await paid(url, [{ tenantId: SANDBOX_TENANT }])
    await rollAll()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}`, digest: 'second' }))
    expect(await figuresOf(url)).toEqual({ tries: 0, calls: 0, callers: 0, volume: '0' })
    await refreshAllFigures(database.db, () => false)
    expect(await figuresOf(url)).toMatchObject({ calls: 0 })
  })

  test('change with a reversal, and a day summed twice counts once', async () => {
    const url = newUrl()
    await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
    await paid(url, [{}, {}])
    await rollAll()
    const row = await database.db.history.findFirstOrThrow({ where: { resource: url } })
    await database.db.history.update({ where: { id: row.id }, data: { success: false, errorReason: 'reversed' } })
    await rollAll()
    expect(await figuresOf(url)).toMatchObject({ tries: 2, calls: 1, volume: '1000' })
  })
})

test('the list can start with the most volume or with the newest', async () => {
  const [small, large] = [newUrl(), newUrl()]
  for (const url of [large, small]) await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
  await paid(large, [{ amount: '5000000' }])
  await paid(small, [{ amount: '4000000' }])
  await rollAll()
  const first = async (order: CatalogOrder) => {
    const { entries } = await listEntries(database.db, everything, { limit: 2, offset: 0, order })
    return entries.map(({ url }) => url)
  }
  expect(await first('volume')).toEqual([large, small])
  expect(await first('new')).toEqual([small, large])
})

test('days that no figure covers are deleted', async () => {
  const entry = newEntry({ owner: `tenant:${tenantId}` })
  await list(database.db, entry)
  const { id } = await database.db.resource.findFirstOrThrow({ where: { url: entry.url } })
  const day = (daysAgo: number) => ({ day: at(daysAgo), part: 0, tenantId, tries: 1, calls: 1, volume: '1', callers: [] })
  await database.db.resourceDay.createMany({ data: [29, 32].map((daysAgo) => ({ resourceId: id, ...day(daysAgo) })) })
  await pruneResourceDays(database.db, 1_000)
  expect(await database.db.resourceDay.count({ where: { resourceId: id } })).toBe(1)
})
