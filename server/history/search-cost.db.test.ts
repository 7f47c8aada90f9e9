import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { sql } from '../db/sql'
import { contains } from './list-queries'

const database = fixture(freshDatabase)

async function holds(text: string, part: string): Promise<boolean> {
  const [row] = await database.db.queryUnprepared<{ holds: boolean }>`SELECT ${contains(sql`${text}::text`, part)} AS "holds"`
  return row?.holds ?? false
}

describe('a search', () => {
  test('finds a part in either case, and takes wildcards as letters', async () => {
    const url = 'https://shop.test/Weather_100%'
    for (const part of ['weather', 'SHOP.', '_100%']) expect(await holds(url, part), part).toBe(true)
    for (const part of ['shop%weather', 'weather.100', '(.*)', '\\']) expect(await holds(url, part), part).toBe(false)
  })

  test('finds a long text by its beginning', async () => {
    const url = `https://shop.test/${'long/'.repeat(400)}`
    expect(await holds(url, url.slice(0, 500).toUpperCase())).toBe(true)
    expect(await holds(url, url.slice(5, 505))).toBe(false)
  })

  // Before there was a bound, a hundred such rows took a second: five thousand exceeded the time of a statement.
  test('of the worst text in thousands of the worst resources takes no more than a statement may', async () => {
    for (const part of [`${'a'.repeat(199)}b`, `b${'a'.repeat(199)}`, `${'a'.repeat(2_047)}b`]) {
      const [row] = await database.db.queryUnprepared<{ count: number }>`
        SELECT count(*)::int AS "count" FROM (SELECT repeat('a', 8192) AS "resource" FROM generate_series(1, 5000)) rows
        WHERE ${contains(sql`"resource"`, part)}`
      expect(row?.count).toBe(0)
    }
  })
})
