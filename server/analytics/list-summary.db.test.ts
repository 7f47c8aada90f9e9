import { beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { DAY_MS } from '../base/durations'
import type { ListFilter } from '../history/list-queries'
import { readSearch } from '../history/search'
import { createCoalesce, createRecent } from '../sums/coalesce'
import { dirtyDays, noteDay, rollDay } from '../sums/rollup-queries'
import { summarizeList } from './list-summary'

const database = fixture(freshDatabase)
const OWNER = { kinds: ['oidc'], id: 'summary' }
const HOUR_MS = 3_600_000
const DAYS = 6

type Made = ReturnType<typeof newRow> & { createdAt: Date; amount: string }

let rows: Made[]
let tenants: string[]
let off: string

/** Which reads of rows a summary made, so that a test can tell its ways apart. */
function asking() {
  let tallies = 0
  const { db } = database
  const lists = async <T>(_reader: string, read: (on: typeof db) => Promise<T>) => {
    tallies++
    return read(db)
  }
  const app = { db, sums: db, lists, coalesce: createCoalesce(), counting: createCoalesce(), recent: createRecent() }
  return { app, reader: 'test', readsOfLists: () => tallies }
}

const summary = (filter: ListFilter) => summarizeList(asking(), filter)

beforeAll(async () => {
  const { db } = database
  tenants = [await tenantOf(db, OWNER.id), await tenantOf(db, OWNER.id)]
  off = await tenantOf(db, 'summary-off', 'oidc')
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  rows = Array.from({ length: 240 }, (_, at): Made => {
    const success = at % 5 !== 0
    const createdAt = new Date(Math.min(today - (at % DAYS) * DAY_MS + (at % 24) * HOUR_MS, Date.now() - 1_000))
    return {
      ...newRow({
        ownerId: OWNER.id,
        tenantId: tenants[at % 2] ?? '',
        success,
        network: at % 3 === 0 ? 'eip155:84532' : 'eip155:8453',
        symbol: at % 7 === 0 ? 'EURC' : 'USDC',
        errorReason: success ? null : at % 10 === 0 ? 'insufficient_funds' : null,
        resource: `https://shop.test/${at % 4}`,
      }),
      createdAt,
      amount: String(1_000 + at),
    }
  })
  await db.history.createMany({ data: rows })
  await db.history.create({ data: newRow({ ownerId: 'summary-off', tenantId: off, createdAt: new Date(today - DAY_MS) }) })
  // Most completed days have sums; the last is read from its rows.
  await db.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - ${DAYS + 1}::int`
  for (let day = 0; day < DAYS; day++) await noteDay(db)
  for (const day of await dirtyDays(db, 1_000)) await rollDay(db, day)
})

const filters = (): [name: string, ListFilter, matches: (row: Made) => boolean][] => {
  const owner = { owner: OWNER }
  const since = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS + 6 * HOUR_MS
  const until = since + 2 * DAY_MS
  const inRange = (row: Made) => Number(row.createdAt) >= since && Number(row.createdAt) < until
  const [first = '', second = ''] = tenants
  return [
    ['all', owner, () => true],
    ['a range', { ...owner, since, until }, inRange],
    ['a range that goes on', { ...owner, since }, (row) => Number(row.createdAt) >= since],
    ['a range to the second', { ...owner, since: since + 1_000, until }, (row) => inRange(row) && Number(row.createdAt) > since],
    ['a network', { ...owner, networks: ['eip155:84532'] }, (row) => row.network === 'eip155:84532'],
    [
      'networks of one environment',
      { ...owner, environment: 'mainnet', networks: ['eip155:8453', 'eip155:84532'] },
      (row) => row.network === 'eip155:8453',
    ],
    ['a token', { ...owner, symbol: 'EURC' }, (row) => row.symbol === 'EURC'],
    ['a key', { ...owner, tenantIds: [first] }, (row) => row.tenantId === first],
    ['keys', { ...owner, tenantIds: [first, second] }, () => true],
    ["another's key", { ...owner, tenantIds: [off] }, () => false],
    ['a resource', { ...owner, resources: ['https://shop.test/1'] }, (row) => row.resource.endsWith('1')],
    ['an amount', { ...owner, ...readSearch('0.001012') }, (row) => row.amount === '1012'],
  ]
}

const outcomes: [ListFilter, (row: Made) => boolean][] = [
  [{}, () => true],
  [{ success: true }, (row) => row.success],
  [{ success: false }, (row) => !row.success],
  [{ success: false, reasons: ['insufficient_funds'] }, (row) => row.errorReason === 'insufficient_funds'],
  [{ reasons: ['unknown'] }, (row) => !row.success && row.errorReason === null],
]

test('a summary agrees with the rows of its list, whether sums or rows tell it', async () => {
  for (const [name, filter, matches] of filters()) {
    for (const [outcome, isOwn] of outcomes) {
      const mine = rows.filter(matches)
      const settled = mine.filter(({ success }) => success)
      const volumes = ['USDC', 'EURC'].flatMap((asset) => {
        const of = settled.filter(({ symbol }) => symbol === asset)
        const amount = of.reduce((sum, row) => sum + BigInt(row.amount), 0n).toString()
        return of.length > 0 ? [{ asset, decimals: 6, amount }] : []
      })
      expect([name, outcome, await summary({ ...filter, ...outcome })]).toEqual([
        name,
        outcome,
        {
          settled: settled.length,
          failed: mine.length - settled.length,
          // What the payer made fail was never valid; an unknown failure is ours.
          valid: mine.filter(({ errorReason }) => errorReason !== 'insufficient_funds').length,
          more: false,
          volumes,
          own: { count: mine.filter(isOwn).length, more: false },
          counted: 10_000,
        },
      ])
    }
  }
})

test('sums of days tell a list by time, networks, token, keys, outcome and reasons, and no rows of it are counted', async () => {
  const asked = asking()
  const range = { since: 0, until: Math.floor(Date.now() / DAY_MS) * DAY_MS }
  await summarizeList(asked, { owner: OWNER, ...range, environment: 'mainnet', symbol: 'USDC', reasons: ['unknown'] })
  // The begin of the list is the only row.
  expect(asked.readsOfLists()).toBe(1)
})

test('rows tell a list of keys whose history is off', async () => {
  await database.db.tenant.update({ where: { id: off }, data: { historyEnabled: false } })
  expect(await summary({ owner: { kinds: ['oidc'], id: 'summary-off' } })).toMatchObject({ settled: 1, failed: 0 })
})

test('a settlement counts at once', async () => {
  const before = await summary({ owner: OWNER })
  await database.db.history.create({ data: newRow({ ownerId: OWNER.id, tenantId: tenants[0] ?? '' }) })
  expect((await summary({ owner: OWNER })).settled).toBe(before.settled + 1)
})
