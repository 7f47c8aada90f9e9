import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { statementOf } from '../db/sql'
import { listStatement } from './queries'

const database = fixture(freshDatabase)

describe('among 20,000 entries', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      INSERT INTO "Resource" ("id", "environment", "url", "host", "owner", "class", "x402Version", "bazaar", "digest", "search", "firstSeen", "volume")
      SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'mainnet' ELSE 'testnet' END, 'https://shop.com/' || n, 'shop.com', 'tenant:' || n % 100,
        'production', 2, '{}', '', to_tsvector('shop'), now() - n * interval '1 minute', n * 7919 % 100003 FROM generate_series(1, 20000) n`)
    await client.query('ANALYZE "Resource"')
  })
  afterAll(() => client.end())

  test('a tag that few have is read from its index', async () => {
    await client.query(`UPDATE "Resource" SET "tags" = ARRAY['rare'] WHERE "url" IN ('https://shop.com/2', 'https://shop.com/4')`)
    await client.query('ANALYZE "Resource"')
    const filter = { environment: 'mainnet', network: null, payTo: null, x402Version: null, tag: 'rare' } as const
    const { text, values } = statementOf(listStatement(filter, { limit: 24, offset: 0, order: 'seen' }))
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values })
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Resource_tags_idx')
  })

  test.each([
    ['seen', 'Resource_environment_lastSeen_id_idx'],
    ['volume', 'Resource_environment_volume_id_idx'],
    ['new', 'Resource_environment_firstSeen_id_idx'],
  ] as const)('a page in the order "%s" reads its index, and sorts nothing but the page', async (order, index) => {
    const filter = { environment: 'mainnet', network: null, payTo: null, x402Version: null } as const
    const { text, values } = statementOf(listStatement(filter, { limit: 24, offset: 48, order }))
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain(`Index Scan using "${index}"`)
    expect(plan).not.toMatch(/Seq Scan on "Resource"/)
  })
})
