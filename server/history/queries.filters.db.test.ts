import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { type Sql, statementOf } from '../db/sql'
import { pageQuery } from './list-queries'
import type { HistoryFilter, PageRequest } from './queries'

const ROWS = 100_000
const RARE = 4
const LIMIT = 50
const OWNER = { kinds: ['oidc'], id: 'a busy merchant' }
const KEY = '6f1f4f0a-5f83-4c4e-8f3f-0a6d5d5b9a01'
/** Longer than a key of an index may be, and nothing that could be made shorter. */
const RARE_RESOURCE = `https://shop.test/${Array.from({ length: 110 }, () => randomUUID()).join('')}`

let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('ALTER TABLE "History" DISABLE TRIGGER USER')
  // The few are the oldest: a reader reaches them last.
  await client.query(
    `INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash")
     SELECT gen_random_uuid(), now() - n * interval '20 seconds', 'oidc', $1, $2, 'payer ' || n % 1000, 'shop',
       CASE WHEN n > $4 THEN 'eip155:84532' ELSE 'eip155:8453' END, CASE WHEN n > $4 THEN $5 ELSE 'https://shop.test/' || n % 50 END,
       'growth', 1, n % 40 <> 0, md5('tx' || n)
     FROM generate_series(1, $3::int) n`,
    [OWNER.id, KEY, ROWS, ROWS - RARE, RARE_RESOURCE],
  )
  await client.query('ANALYZE "History"')
})
afterAll(async () => {
  await client.end()
  await database.close()
})

type Node = {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Node[]
}

/** How many rows of history a statement looked at. A page is no prepared statement: its plan is made for its values. */
async function readBy(piece: Sql): Promise<number> {
  const { text, values } = statementOf(piece)
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
  return lookedAt(rows[0]['QUERY PLAN'][0].Plan)
}

function lookedAt(node: Node): number {
  const own = node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), own)
}

describe(`of a merchant with ${ROWS} settlements`, () => {
  const filters: [string, HistoryFilter, number][] = [
    ['a network that was hardly used', { network: 'eip155:84532' }, RARE],
    ['a network that was never used', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, 0],
    ['an environment that was hardly used', { environment: 'testnet' }, RARE],
    ['a resource that was hardly paid for', { resource: RARE_RESOURCE }, RARE],
    ['a resource that was never paid for', { resource: 'https://shop.test/none' }, 0],
    ['both', { network: 'eip155:84532', resource: RARE_RESOURCE }, RARE],
    ['what all use', { network: 'eip155:8453' }, LIMIT + 1],
    ['the environment that all use', { environment: 'mainnet' }, LIMIT + 1],
  ]

  test.each(filters)('a page of %s is found without looking at the others', async (_what, filter, found) => {
    const above = { at: Date.now() - ROWS * 30_000, id: randomUUID() }
    const pages: PageRequest[] = [
      { direction: 'before', from: null, limit: LIMIT },
      { direction: 'after', from: { oldest: above, above, seen: null }, limit: LIMIT },
    ]
    for (const page of pages) {
      const query = pageQuery({ owner: OWNER, ...filter }, page, Date.now(), null)
      const { rows } = await client.query(statementOf(query))
      expect([page.direction, rows.length]).toEqual([page.direction, found])
      expect(await readBy(query), page.direction).toBeLessThanOrEqual(2 * (LIMIT + 1))
    }
  })
})

test('a resource may be as long as it likes: its settlement is recorded', async () => {
  const { rows } = await client.query('SELECT count(*)::int AS "count" FROM "History" WHERE length("resource") > 2704')
  expect(rows).toEqual([{ count: RARE }])
})
