import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { type AmountCursor, readByAmount } from './amount-queries'
import { type ListFilter, readPage } from './list-queries'
import type { HistoryCursor, HistoryRow } from './queries'
import { readSearch } from './search'
import { type ChoiceName, readTally, readValues } from './tally-queries'

const database = fixture(freshDatabase)
const START = Date.parse('2026-01-01T00:00:00Z')
const ROWS = 300
/** Few rows at a time, so that most pages end before they are full. */
const MOST = 17
const LIMIT = 5

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T

type Made = ReturnType<typeof newRow>
let rows: Made[]
let owner: string
let tenants: string[]
const payers = Array.from({ length: 7 }, (_, at) => `0x${String(at).repeat(40)}`)
const SHOP = '0x209693bc6afc0c5328ba36faf03c514ef312287c'
const REASONS = ['insufficient_funds', 'invalid_exact_evm_signature', null]

beforeAll(async () => {
  owner = newOwner()
  tenants = [await tenantOf(database.db, owner), await tenantOf(database.db, owner)]
  const foreign = { ownerId: newOwner() }
  const others = await tenantOf(database.db, foreign.ownerId)
  rows = Array.from({ length: ROWS }, (_, at): Made => {
    const success = at % 4 !== 0
    const id = uuidv7()
    return newRow({
      // Some rows have the id of their settlement.
      settlementId: at % 2 === 1 ? id : null,
      ...(at % 9 === 0 ? { ownerId: foreign.ownerId, tenantId: others } : { ownerId: owner, tenantId: pick(tenants, at) }),
      id,
      // Several rows have the same time.
      createdAt: new Date(START + Math.floor(at / 3) * 1_000),
      success,
      amount: String((at * 7_919) % 50),
      payer: pick(payers, at),
      // Also a payer that pays itself.
      payTo: pick([SHOP, payers[0] ?? ''], Math.floor(at / 50)),
      network: at % 11 === 0 ? 'eip155:84532' : 'eip155:8453',
      resource: `https://shop.test/${pick(['weather', 'news', '100%_free'], at)}`,
      errorReason: success ? null : pick(REASONS, at / 4),
    })
  })
  await database.db.history.createMany({ data: rows })
})

/** Each filter with the rows that it must find. */
const filters = (): [string, ListFilter, (row: Made) => boolean][] => {
  const own = { owner: { kinds: ['oidc'], id: owner } }
  const isOwn = (row: Made) => row.ownerId === owner
  const [key = ''] = tenants
  const [payer = '', second = ''] = payers
  const first = rows[1]
  return [
    ['no filter', own, isOwn],
    ['an administrator', {}, () => true],
    ['successes', { ...own, success: true }, (row) => isOwn(row) && row.success],
    ['failures', { ...own, success: false }, (row) => isOwn(row) && !row.success],
    ['a range', { ...own, since: START + 20_000, until: START + 40_000 }, (row) => isOwn(row) && inRange(row, 20, 40)],
    ['a reason', { ...own, reasons: ['insufficient_funds'] }, (row) => isOwn(row) && because(row) === 'insufficient_funds'],
    ['no reason', { reasons: ['unknown'] }, (row) => because(row) === 'unknown'],
    ['several keys', { ...own, tenantIds: tenants }, isOwn],
    ['several payers', { ...own, payers: [payer, second] }, (row) => isOwn(row) && [payer, second].includes(String(row.payer))],
    ['several payers of all', { payers: payers.slice(0, 3) }, (row) => payers.slice(0, 3).includes(String(row.payer))],
    ['recipients of a payer', { payer: second, payTos: [SHOP] }, (row) => row.payer === second && row.payTo === SHOP],
    [
      'several resources',
      { ...own, resources: ['https://shop.test/news', 'https://shop.test/weather'] },
      (row) => isOwn(row) && !row.resource.includes('free'),
    ],
    [
      'several networks',
      { ...own, networks: ['eip155:84532', 'solana:x'] },
      (row) => isOwn(row) && row.network === 'eip155:84532',
    ],
    [
      'several of each',
      { ...own, payers: [payer, second], tenantIds: tenants, resources: ['https://shop.test/news'], success: false },
      (row) => failedNews(row) && [payer, second].includes(String(row.payer)),
    ],
    ['an amount', { ...own, ...readSearch('0.000012') }, (row) => isOwn(row) && row.amount === '12'],
    ['an amount as screens write it', { ...own, ...readSearch('$0.0000120 usdc') }, (row) => isOwn(row) && row.amount === '12'],
    ['a key and a network', { ...own, tenantId: key, network: 'eip155:84532' }, keyAndNetwork(key)],
    ['a resource and failures', { ...own, resource: 'https://shop.test/news', success: false }, failedNews],
    ['a resource of all', { resource: 'https://shop.test/news' }, (row) => row.resource.endsWith('news')],
    ['a payer of a merchant', { ...own, payer: second }, (row) => isOwn(row) && row.payer === second],
    ['either side', { ...own, ...readSearch(payer) }, (row) => isOwn(row) && (row.payer === payer || row.payTo === payer)],
    ['testnets', { ...own, environment: 'testnet' }, (row) => isOwn(row) && row.network === 'eip155:84532'],
    ['a word of resources', { ...own, ...readSearch('WEATH') }, (row) => isOwn(row) && row.resource.endsWith('weather')],
    ['signs of patterns', { ...own, ...readSearch('%_') }, (row) => isOwn(row) && row.resource.endsWith('100%_free')],
    ['a title of a reason', { ...own, ...readSearch('insuff') }, (row) => isOwn(row) && because(row) === 'insufficient_funds'],
    ['a word that is nowhere', { ...own, ...readSearch('zebra') }, () => false],
    [
      'a beginning of an address',
      { ...own, ...readSearch('0X2222') },
      // The hash of a row is random, so that it may begin alike.
      (row) => isOwn(row) && [row.payer, row.txHash].some((text) => text?.startsWith('0x2222')),
    ],
    ['an id', { ...own, ...readSearch(String(first?.id).toUpperCase()) }, (row) => row.id === first?.id],
    [
      'a beginning of an id',
      readSearch(String(first?.id).slice(0, 35)),
      (row) => row.id.startsWith(String(first?.id).slice(0, 35)),
    ],
    ['a transaction', { ...own, ...readSearch(String(first?.txHash)) }, (row) => row.txHash === first?.txHash],
    ['a beginning of one', readSearch(String(first?.txHash).slice(0, 20)), (row) => row.txHash === first?.txHash],
  ]
}

const inRange = (row: Made, from: number, to: number) => {
  const at = Number(row.createdAt) - START
  return at >= from * 1_000 && at < to * 1_000
}
const keyAndNetwork = (key: string) => (row: Made) => row.tenantId === key && row.network === 'eip155:84532'
const failedNews = (row: Made) => row.ownerId === owner && !row.success && row.resource.endsWith('news')

const newestFirst = (one: Made, other: Made) => Number(other.createdAt) - Number(one.createdAt) || (one.id < other.id ? 1 : -1)
const idsOf = (of: readonly Pick<HistoryRow, 'id'>[]) => of.map(({ id }) => id)

async function walk(filter: ListFilter, direction: 'before' | 'after'): Promise<string[]> {
  const ids: string[] = []
  let from: HistoryCursor | null = null
  for (let pages = 0; pages < 2 * ROWS; pages++) {
    const page = await readPage(database.db, filter, { direction, from, limit: LIMIT }, MOST)
    ids.push(...idsOf(direction === 'after' ? page.rows.toReversed() : page.rows))
    if (!page.hasMore) return ids
    from = page.cursor
  }
  throw new Error('the list has no end')
}

describe('a list of which each page reads few rows', () => {
  test('has every row once, down and up, with any filter', async () => {
    for (const [name, filter, matches] of filters()) {
      const expected = idsOf(rows.filter(matches).toSorted(newestFirst))
      expect([name, await walk(filter, 'before')]).toEqual([name, expected])
      expect([name, await walk(filter, 'after')]).toEqual([name, expected.toReversed()])
    }
  })

  test('says how far it searched, and no more when all was searched', async () => {
    const word = { owner: { kinds: ['oidc'], id: owner }, ...readSearch('zebra') }
    const first = await readPage(database.db, word, { direction: 'before', from: null, limit: LIMIT }, MOST)
    const mine = rows.filter((row) => row.ownerId === owner).toSorted(newestFirst)
    expect(first).toMatchObject({ rows: [], hasMore: true, searchedTo: mine[MOST - 1]?.createdAt })
    const all = await readPage(database.db, word, { direction: 'before', from: null, limit: LIMIT }, ROWS + 1)
    expect(all).toMatchObject({ rows: [], hasMore: false, searchedTo: null })
  })
})

const because = (row: Made) => (row.success ? '' : (row.errorReason ?? 'unknown'))
const sumOf = (of: readonly Made[]) => of.reduce((sum, { amount }) => sum + Number(amount), 0)

describe('a tally of a list', () => {
  test('has the count of each outcome and the volume of the successes, with any filter', async () => {
    for (const [name, filter, matches] of filters()) {
      const { outcomes, more } = await readTally(database.db, filter)
      const mine = rows.filter(matches)
      const expected = [...new Set(mine.map(because))].toSorted().map((reason) => {
        const of = mine.filter((row) => because(row) === reason)
        return {
          symbol: 'USDC',
          accepted: reason === '',
          reason,
          count: of.length,
          volume: String(reason === '' ? sumOf(of) : 0),
        }
      })
      expect([name, outcomes.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)), more]).toEqual([name, expected, false])
    }
  })

  test('counts the newest rows only where there are more, and says so', async () => {
    const own = { owner: { kinds: ['oidc'], id: owner } }
    const { outcomes, more } = await readTally(database.db, own, MOST)
    expect([outcomes.reduce((sum, { count }) => sum + count, 0), more]).toEqual([MOST, true])
    expect(await readTally(database.db, { ...own, ...readSearch('zebra') }, MOST)).toEqual({ outcomes: [], more: true })
  })
})

describe('the values of a choice', () => {
  const own = () => ({ owner: { kinds: ['oidc'], id: owner } })
  const VALUE: Record<ChoiceName, (row: Made) => string> = {
    network: (row) => row.network,
    key: (row) => row.tenantId,
    reason: because,
    resource: (row) => row.resource,
    payer: (row) => row.payer,
    recipient: (row) => row.payTo,
  }

  test('are those that occur in the list, the most frequent first, with their counts', async () => {
    for (const of of Object.keys(VALUE) as ChoiceName[]) {
      const { values, others, more } = await readValues(database.db, { ...own(), success: false }, of, null)
      const counts = new Map<string, number>()
      for (const row of rows.filter((one) => one.ownerId === owner && !one.success)) {
        counts.set(VALUE[of](row), (counts.get(VALUE[of](row)) ?? 0) + 1)
      }
      const expected = [...counts].map(([value, count]) => ({ value, count }))
      const byCount = (a: { value: string; count: number }, b: typeof a) => b.count - a.count || (a.value < b.value ? -1 : 1)
      expect([of, values.toSorted(byCount), others, more]).toEqual([of, expected.toSorted(byCount), false, false])
      expect(values.map(({ count }) => count)).toEqual(values.map(({ count }) => count).toSorted((a, b) => b - a))
    }
  })

  test('are found by a part of them', async () => {
    const { values } = await readValues(database.db, own(), 'resource', 'WEATH')
    expect(values.map(({ value }) => value)).toEqual(['https://shop.test/weather'])
  })
})

describe('a list by amount', () => {
  const walkAmounts = async (filter: ListFilter, order: 'largest' | 'smallest', most: number) => {
    const found: HistoryRow[] = []
    let from: AmountCursor | null = null
    for (;;) {
      const page = await readByAmount(database.db, filter, { order, from, limit: LIMIT }, most)
      found.push(...page.rows)
      if (!page.hasMore) return { found, sortedTo: page.sortedTo }
      from = page.cursor
    }
  }

  test('has every row once, with any filter', async () => {
    for (const [name, filter, matches] of filters()) {
      const expected = rows.filter(matches)
      for (const order of ['largest', 'smallest'] as const) {
        const { found, sortedTo } = await walkAmounts(filter, order, 10_000)
        const amounts = expected.map(({ amount }) => Number(amount)).toSorted((a, b) => (order === 'largest' ? b - a : a - b))
        expect([name, found.map(({ amount }) => Number(amount)), sortedTo]).toEqual([name, amounts, null])
        expect(new Set(idsOf(found))).toEqual(new Set(idsOf(expected)))
      }
    }
  })

  test('sorts the newest rows of its range only, and says so', async () => {
    const own = { owner: { kinds: ['oidc'], id: owner } }
    const newest = rows
      .filter((row) => row.ownerId === owner)
      .toSorted(newestFirst)
      .slice(0, MOST)
    const { found, sortedTo } = await walkAmounts(own, 'largest', MOST)
    expect(new Set(idsOf(found))).toEqual(new Set(idsOf(newest)))
    expect(sortedTo).toEqual(newest.at(-1)?.createdAt)
  })
})

test('a list shows what arrives above it, also when it was empty', async () => {
  const ownerId = newOwner()
  const tenantId = await tenantOf(database.db, ownerId)
  const filter: ListFilter = { owner: { kinds: ['oidc'], id: ownerId }, ...readSearch('weather') }
  let { cursor } = await readPage(database.db, filter, { direction: 'before', from: null, limit: LIMIT }, MOST)
  const seen: string[] = []
  const written: string[] = []
  for (let at = 0; at < 3; at++) {
    for (let other = 0; other < MOST + 3; other++) {
      await database.db.history.create({ data: newRow({ ownerId, tenantId, resource: other === 9 ? '/weather' : '/x' }) })
    }
    const [row] = await database.db.history.findMany({ where: { ownerId, resource: '/weather' }, orderBy: { createdAt: 'desc' } })
    written.push(row?.id ?? '')
    for (let more = true; more; ) {
      const page = await readPage(database.db, filter, { direction: 'after', from: cursor, limit: LIMIT }, MOST)
      seen.push(...idsOf(page.rows))
      cursor = page.cursor
      more = page.hasMore
    }
  }
  expect(seen).toEqual(written)
})
