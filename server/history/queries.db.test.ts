import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { freshEmbedded } from '../../test/support/database/embedded'
import { SANDBOX } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { newRow } from '../../test/support/service/history'
import { until } from '../../test/support/until'
import { readPage } from './list-queries'
import type { HistoryCursor, PageRequest } from './queries'

const database = fixture(freshDatabase)
const WRITERS = 4

const INSERT = `INSERT INTO "History" ("id", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success")
  VALUES ($1, 'oidc', $2, '${SANDBOX}', '', '', 'eip155:8453', '', 'free', 1, true)`

/** Connections that write, each in its own open transaction. */
async function openWriters(url: string) {
  const clients = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))))
  return clients
}

type Act =
  | { do: 'begin'; writer: number }
  | { do: 'insert'; writer: number }
  | { do: 'commit' | 'rollback'; writer: number }
  | { do: 'down' | 'up'; limit: number }

const writer = fc.nat(WRITERS - 1)

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('insert' as const), writer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin' as const), writer }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const), writer }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('down' as const, 'up' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
)

/** A reader who goes down from the first page, and up from it: by the two cursors of its own that it holds. */
function newReader(ownerId: string) {
  const down: string[] = []
  const up: string[] = []
  let lower: HistoryCursor | null = null
  let upper: HistoryCursor | null = null
  let started = false
  const read = (page: PageRequest) => readPage(database.db, { owner: { kinds: ['oidc'], id: ownerId } }, page, null)
  return {
    down,
    up,
    async goDown(limit: number) {
      // One who has met nothing yet has no place to go down from: everything is above.
      if (started && !lower) return false
      const page = await read({ direction: 'before', from: lower, limit })
      if (!started) upper = page.cursor
      started = true
      lower = page.cursor ?? lower
      down.push(...page.rows.map(({ id }) => id))
      return page.hasMore
    },
    async goUp(limit: number) {
      if (!started) return false
      const page = await read({ direction: 'after', from: upper, limit })
      upper = page.cursor ?? upper
      up.push(...page.rows.map(({ id }) => id).toReversed())
      return page.hasMore
    },
  }
}

describe('rows that are written and committed in any order by several connections', () => {
  test('are each returned once to a reader that pages in both directions meanwhile', async () => {
    const clients = await openWriters(database.url)
    const run = async (acts: Act[]) => {
      const ownerId = randomUUID()
      const reader = newReader(ownerId)
      // The rows of each open transaction, which count once it is committed.
      const open = new Map<number, string[]>()
      const committed: string[] = []
      const end = async (at: number, how: 'commit' | 'rollback') => {
        const wrote = open.get(at)
        if (!wrote) return
        await clients[at]?.query(how)
        if (how === 'commit') committed.push(...wrote)
        open.delete(at)
      }
      for (const one of acts) {
        if ('limit' in one) await (one.do === 'down' ? reader.goDown(one.limit) : reader.goUp(one.limit))
        else if (one.do === 'commit' || one.do === 'rollback') await end(one.writer, one.do)
        else if (one.do === 'begin') {
          if (open.has(one.writer)) continue
          // It has its id long before it writes, as a settlement that waits for a lock.
          await clients[one.writer]?.query('BEGIN; SELECT pg_current_xact_id()')
          open.set(one.writer, [])
        } else {
          const id = randomUUID()
          await clients[one.writer]?.query(INSERT, [id, ownerId])
          ;(open.get(one.writer) ?? committed).push(id)
        }
      }
      for (const at of [...open.keys()]) await end(at, 'commit')
      while (await reader.goDown(3));
      await until(async () => {
        while (await reader.goUp(3));
        return reader.down.length + reader.up.length >= committed.length
      }, 'all rows to be met')
      const ordered = await database.db.history.findMany({ where: { ownerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
      const order = new Map(ordered.map(({ id }, at) => [id, at]))
      const places = (ids: string[]) => ids.map((id) => order.get(id) ?? -1)
      expect([...reader.down, ...reader.up].toSorted()).toEqual(committed.toSorted())
      expect(places(reader.down)).toEqual(places(reader.down).toSorted((a, b) => b - a))
      expect(places(reader.up)).toEqual(places(reader.up).toSorted((a, b) => a - b))
    }
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60, size: 'max' }), run), { numRuns: 40 })
  })

  test('rows of an open transaction are neither skipped nor returned twice when a reader pages to newer rows', async () => {
    const [early, late] = await openWriters(database.url)
    const ownerId = randomUUID()
    const reader = newReader(ownerId)
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    // The later transaction writes first and commits last.
    await early?.query('BEGIN; SELECT pg_current_xact_id()')
    await late?.query('BEGIN; SELECT pg_current_xact_id()')
    await late?.query(INSERT, [first, ownerId])
    await early?.query(INSERT, [second, ownerId])
    await early?.query('COMMIT')
    await reader.goDown(10)
    expect(reader.down).toEqual([second])
    await early?.query(INSERT, [third, ownerId])
    await reader.goUp(10)
    expect(reader.up).toEqual([])
    await late?.query('COMMIT')
    await until(async () => {
      while (await reader.goUp(1));
      return reader.up.length >= 2
    }, 'the rows to settle')
    expect(reader.up).toEqual([first, third])
  })

  test('a transaction of another database delays no reader', async () => {
    const other = await freshDatabase()
    onTestFinished(() => other.close())
    const [stranger] = await openWriters(other.url)
    await stranger?.query('BEGIN; SELECT pg_current_xact_id()')
    const [ownerId, id] = [randomUUID(), randomUUID()]
    const [own] = await openWriters(database.url)
    await own?.query(INSERT, [id, ownerId])
    const read = () =>
      readPage(database.db, { owner: { kinds: ['oidc'], id: ownerId } }, { direction: 'after', from: null, limit: 1 }, null)
    await until(async () => (await read()).rows.length === 1, 'the row to settle')
    await stranger?.query('ROLLBACK')
  })
})

inLongRuns(() => {
  test('the embedded database pages in both directions too', async () => {
    const db = await freshEmbedded()
    const rows = Array.from({ length: 5 }, () => newRow({ ownerId: 'quittance', ownerKind: 'system', tenantId: SANDBOX }))
    for (const data of rows) await db.history.create({ data })
    const read = (page: Omit<PageRequest, 'limit'>) => readPage(db, { tenantId: SANDBOX }, { ...page, limit: 2 }, null)
    const first = await read({ direction: 'before', from: null })
    const second = await read({ direction: 'before', from: first.cursor })
    const up = await read({ direction: 'after', from: second.cursor })
    const ids = rows.map(({ id }) => id)
    expect([first, second, up].map((page) => page.rows.map(({ id }) => id))).toEqual([
      [ids[4], ids[3]],
      [ids[2], ids[1]],
      [ids[4], ids[3]],
    ])
  })
})
