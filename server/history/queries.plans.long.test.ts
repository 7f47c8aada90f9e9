import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { type Sql, statementOf } from '../db/sql'
import { pageQuery } from './list-queries'
import type { HistoryCursor, HistoryFilter, PageRequest } from './queries'

const database = fixture(freshDatabase)

describe('among 100,000 rows', () => {
  let client: pg.Client
  let sample: { ownerId: string; tenantId: string; payer: string; txHash: string }
  beforeAll(async () => {
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('ALTER TABLE "History" DISABLE TRIGGER USER')
    await client.query(`
      INSERT INTO "History" ("id", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount", "success", "txHash")
      SELECT gen_random_uuid(), now() - n * interval '20 seconds', CASE WHEN n % 5 = 0 THEN 'wallet' ELSE 'oidc' END, 'owner ' || n % 100,
        md5('tenant ' || n % 300)::uuid, 'payer ' || n % 1000, 'shop', 'eip155:8453', 'https://shop.test/' || n % 50, 'growth', 1, n % 40 <> 0, md5('tx' || n)
      FROM generate_series(1, 100000) n`)
    await client.query('ANALYZE "History"')
    const { rows } = await client.query(
      'SELECT "ownerId", "tenantId", "payer", "txHash" FROM "History" WHERE "ownerId" LIKE \'owner %\' LIMIT 1',
    )
    sample = rows[0]
  })
  afterAll(() => client.end())

  /** The plan that a connection keeps for this statement (`generic`), or makes for these values. */
  async function planOf(piece: Sql, how: 'generic' | 'custom'): Promise<string> {
    const { text, values } = statementOf(piece)
    await client.query(`SET plan_cache_mode = force_${how}_plan`)
    await client.query(`PREPARE page AS ${text}`)
    const { rows } = await client.query(
      `EXPLAIN EXECUTE page(${values.map((value) => pg.escapeLiteral(String(value))).join(', ')})`,
    )
    await client.query('DEALLOCATE page')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  const filters = (): [string, HistoryFilter, RegExp][] => {
    const { ownerId: id, tenantId, payer, txHash } = sample
    const parts: [HistoryFilter, string][] = [
      [{ txHash }, 'txHash'],
      [{ payer }, 'payer_(createdAt|failures)'],
      [{ tenantId }, 'tenant'],
      [{ owner: { kinds: ['oidc', 'wallet'], id } }, 'owner'],
      [{ success: true }, ''],
      [{ success: false }, ''],
    ]
    const routes: [string, HistoryFilter, RegExp][] = [
      ['merchant', { owner: { kinds: ['oidc'], id } }, /(using|on) "History_ownerKind_ownerId_createdAt_id_idx"/],
      ['payer', { payer }, /(using|on) "History_payer_createdAt_id_idx"/],
    ]
    const combined = Array.from({ length: 2 ** parts.length }, (_, mask): [string, HistoryFilter, RegExp] => {
      const chosen = parts.filter((_, at) => mask & (1 << at))
      const filter = Object.assign({}, ...chosen.map(([part]) => part)) as HistoryFilter
      return [`admin ${Object.keys(filter).join(' ')}`, filter, /(using|on) "History_/]
    })
    return [...routes, ...combined]
  }

  test('every route and every combination of filters reads through an index, in both directions', async () => {
    const at = { at: Date.now() - 86_400_000, id: randomUUID() }
    const standing: HistoryCursor = { oldest: at, above: at, seen: null }
    const pages: PageRequest[] = [
      { direction: 'before', from: null, limit: 100 },
      { direction: 'before', from: standing, limit: 100 },
      { direction: 'after', from: standing, limit: 100 },
    ]
    for (const [name, filter, index] of filters()) {
      for (const page of pages) {
        for (const how of ['custom', 'generic'] as const) {
          const plan = await planOf(pageQuery(filter, page, Date.now(), null), how)
          expect(plan, `${name}, ${page.direction}, ${how}`).toMatch(index)
          expect(plan, `${name}, ${page.direction}, ${how}`).not.toMatch(/Seq Scan/)
        }
      }
    }
  })
})
