import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { chargingKeysOf } from '../accounts/tenant-queries'
import { type Sql, statementOf } from '../db/sql'
import { resourcesQuery } from './find'
import { type ListFilter, pageQuery } from './list-queries'
import type { PageRequest } from './queries'
import { readSearch } from './search'
import { tallyQuery, valuesQuery } from './tally-queries'

const ROWS = 100_000
const LIMIT = 50
/** What a page may read here, so that reading more shows among so few rows. */
const MOST = 1_000
const OWNER = { kinds: ['oidc'], id: 'a busy merchant' }
const KEY = '6f1f4f0a-5f83-4c4e-8f3f-0a6d5d5b9a01'
const WALLET = { kind: 'wallet', id: '0x00000000000000000000000000000000000000aa' } as const
const AGENT_KEY = '6f1f4f0a-5f83-4c4e-8f3f-0a6d5d5b9a02'
const SHOP = '0x209693bc6afc0c5328ba36faf03c514ef312287c'
const PAYER = '0x0000000000000000000000000000000000000007'

let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('ALTER TABLE "History" DISABLE TRIGGER USER')
  await client.query(
    `INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount",
       "success", "txHash", "errorReason")
     SELECT gen_random_uuid(), now() - n * interval '20 seconds', CASE WHEN n % 9 = 0 THEN 'wallet' ELSE 'oidc' END, $1, $2,
       '0x' || lpad((n % 1000)::text, 40, '0'), $3, 'eip155:8453', 'https://shop.test/' || n % 50, 'growth', n % 97, n % 40 <> 0, md5('tx' || n),
       CASE WHEN n % 40 = 0 THEN 'insufficient_funds' END
     FROM generate_series(1, $4::int) n`,
    [OWNER.id, KEY, SHOP, ROWS],
  )
  // A busy agent that is a quiet merchant: one row in a thousand was charged.
  await client.query(
    `INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount",
       "success", "txHash")
     SELECT gen_random_uuid(), now() - n * interval '20 seconds', 'wallet', $1, $2, $1, $1, 'eip155:8453', 'https://shop.test/' || n % 50,
       CASE WHEN n % 1000 = 0 THEN 'free' ELSE 'agent' END, 1, n % 7 <> 0, md5('agent' || n)
     FROM generate_series(1, $3::int) n`,
    [WALLET.id, AGENT_KEY, ROWS],
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

/** How many rows of history a statement looked at. */
async function readBy(piece: Sql): Promise<number> {
  const { text, values } = statementOf(piece)
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values])
  return lookedAt(rows[0]['QUERY PLAN'][0].Plan)
}

function lookedAt(node: Node): number {
  const own = node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), own)
}

describe(`among ${ROWS} rows`, () => {
  const parts: ListFilter[] = [
    { owner: OWNER },
    { tenantId: KEY },
    { payer: PAYER },
    { success: true },
    { reasons: ['duplicate_settlement'] },
    { network: 'eip155:84532' },
    { resource: 'https://shop.test/none' },
    readSearch('0.123456'),
  ]
  const combinations = Array.from({ length: 2 ** parts.length }, (_, mask): ListFilter => {
    return Object.assign({}, ...parts.filter((_, at) => mask & (1 << at)))
  })

  test('no combination of filters that finds nothing reads more than it may, up or down', { timeout: 300_000 }, async () => {
    const above = { at: Date.now() - ROWS * 30_000, id: KEY }
    const pages: PageRequest[] = [
      { direction: 'before', from: null, limit: LIMIT },
      { direction: 'after', from: { oldest: above, above, seen: null }, limit: LIMIT },
    ]
    for (const filter of combinations) {
      for (const page of pages) {
        // A scan for the page, and one for its edge. For an owner of nearly all rows the planner may take the index of all owners.
        const looked = await readBy(pageQuery(filter, page, Date.now(), MOST))
        expect([Object.keys(filter), page.direction, looked <= 3 * MOST]).toEqual([Object.keys(filter), page.direction, true])
      }
    }
  })

  test('no combination of filters makes a tally or the values of a choice read more than they may', {
    timeout: 300_000,
  }, async () => {
    for (const filter of combinations) {
      for (const query of [tallyQuery(filter, MOST), valuesQuery(filter, 'payer', null, MOST)]) {
        const looked = await readBy(query)
        expect([Object.keys(filter), looked <= 2 * MOST]).toEqual([Object.keys(filter), true])
      }
    }
  })

  test('several choices read no more than one', { timeout: 300_000 }, async () => {
    const payers = Array.from({ length: 9 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
    const several: ListFilter[] = [
      { payers },
      { owner: OWNER, payers },
      { owner: OWNER, tenantIds: [KEY, AGENT_KEY] },
      { owner: OWNER, resources: ['https://shop.test/1', 'https://shop.test/2', 'https://shop.test/3'] },
      { owner: OWNER, networks: ['eip155:8453', 'eip155:84532'], ...readSearch('0.000001') },
    ]
    for (const filter of several) {
      const page = pageQuery(filter, { direction: 'before', from: null, limit: LIMIT }, Date.now(), MOST)
      for (const [query, most] of [
        [page, 3 * MOST],
        [tallyQuery(filter, MOST), 2 * MOST],
      ] as const) {
        const looked = await readBy(query)
        expect([Object.keys(filter), looked <= most]).toEqual([Object.keys(filter), true])
      }
    }
  })

  test('a page of what all have stops when it is full', async () => {
    const full: ListFilter[] = [
      {},
      { owner: OWNER },
      { owner: OWNER, success: false },
      { owner: OWNER, success: true },
      { owner: OWNER, ...readSearch('shop') },
      { owner: OWNER, ...readSearch(SHOP) },
      { owner: OWNER, since: Date.now() - ROWS * 10_000, until: Date.now() - ROWS * 5_000 },
      { ...readSearch(PAYER) },
    ]
    for (const filter of full) {
      const looked = await readBy(pageQuery(filter, { direction: 'before', from: null, limit: LIMIT }, Date.now(), MOST))
      expect([Object.keys(filter), looked < 4 * (LIMIT + 1)]).toEqual([Object.keys(filter), true])
    }
  })

  test('an id is looked up in its two indexes', async () => {
    const { rows } = await client.query(`SELECT "id" FROM "History" LIMIT 1`)
    const looked = await readBy(
      pageQuery(readSearch(rows[0].id), { direction: 'before', from: null, limit: LIMIT }, Date.now(), MOST),
    )
    expect(looked).toBe(1)
  })

  test('the palette looks for resources among the newest settlements only', async () => {
    const filters: ListFilter[] = [{}, { owner: OWNER }, { owner: OWNER, environment: 'mainnet' }, { payer: PAYER }]
    for (const filter of filters) {
      const looked = await readBy(resourcesQuery(filter, '%none%'))
      expect([Object.keys(filter), looked <= 4_000]).toEqual([Object.keys(filter), true])
    }
  })

  test('what a wallet charges is read without what its agent spent', async () => {
    const owner = chargingKeysOf(WALLET)
    const parts: ListFilter[] = [
      { network: 'eip155:8453' },
      { environment: 'testnet' },
      { success: false },
      { resource: 'https://shop.test/0' },
    ]
    for (const filter of [{ owner }, ...parts.map((part) => ({ owner, ...part }))]) {
      const looked = await readBy(pageQuery(filter, { direction: 'before', from: null, limit: LIMIT }, Date.now(), MOST))
      expect([Object.keys(filter), looked <= 3 * (ROWS / 1_000)]).toEqual([Object.keys(filter), true])
    }
  })
})
