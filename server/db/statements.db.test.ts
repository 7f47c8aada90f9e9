import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { embeddedFolder } from '../../test/support/database/embedded'
import { fixture } from '../../test/support/fixture'
import { connect } from './database'
import { EMBEDDED_LIMITS, openEmbedded } from './embedded'
import { sql } from './sql'

const database = fixture(freshDatabase)
beforeAll(async () => {
  await database.db.execute`CREATE TABLE "Note" ("n" int PRIMARY KEY)`
})

const at = new Date('2026-11-22T21:27:04.567Z')
const bytes = Uint8Array.of(0, 255, 92)

describe('a statement', () => {
  test('reads each type as one of ours', async () => {
    const [row] = await database.db.query`
      SELECT 1::int AS "int", 2::bigint AS "bigint", 12345678901234567890.10::numeric AS "numeric", true AS "bool", null AS "null", 1.5::float AS "float",
        '2026-11-22 23:27:04.567891+02'::timestamptz AS "time", '2026-11-22'::date AS "day", '2026-11-22 21:27:04.567'::timestamp AS "plain",
        '\\x00ff5c'::bytea AS "bytes", '{"a":[1]}'::jsonb AS "json", ARRAY['a', null, 'b"'] AS "texts", ARRAY[1, null]::bigint[] AS "bigints",
        ARRAY[0.10]::numeric[] AS "numerics", ARRAY['2026-11-22 21:27:04.567Z'::timestamptz] AS "times",
        ARRAY['00000000-0000-0000-0000-000000000000'::uuid] AS "ids"`
    expect(row).toEqual({
      int: 1,
      bigint: 2n,
      numeric: '12345678901234567890.10',
      bool: true,
      null: null,
      float: 1.5,
      time: at,
      day: new Date('2026-11-22'),
      plain: at,
      bytes: Buffer.from(bytes),
      json: { a: [1] },
      texts: ['a', null, 'b"'],
      bigints: [1n, null],
      numerics: ['0.10'],
      times: [at],
      ids: ['00000000-0000-0000-0000-000000000000'],
    })
  })

  test('takes each type as it is, also where the zone of the process is another', async () => {
    vi.stubEnv('TZ', 'America/St_Johns')
    onTestFinished(() => void vi.unstubAllEnvs())
    const given = [2n ** 63n - 1n, 'a\'"\\', null, true, 7, at, bytes, ['a"', null, '{}'], [at], [bytes], [1n, 2n]] as const
    const [big, text, none, bool, int, time, blob, texts, times, blobs, bigs] = given
    const [row] = await database.db.query`
      SELECT ${big}::bigint AS big, ${text}::text AS text, ${none}::text AS none, ${bool}::boolean AS bool, ${int}::int AS int, ${time}::timestamptz AS time,
        ${time}::timestamp AS plain, ${blob}::bytea AS blob, ${texts}::text[] AS texts, ${times}::timestamptz[] AS times, ${bigs}::bigint[] AS bigs,
        (${blobs}::bytea[])[1] AS first`
    expect(row).toEqual({
      big,
      text,
      none,
      bool,
      int,
      time,
      plain: time,
      blob: Buffer.from(bytes),
      texts,
      times,
      bigs,
      first: Buffer.from(bytes),
    })
  })

  test("leaves Prisma's own types alone on the same connections", async () => {
    await database.db.query`SELECT 1.5::numeric AS "n"`
    const [row] = await database.db.$queryRaw<{ n: { toFixed(digits: number): string } }[]>`SELECT 1.5::numeric AS "n"`
    expect(row?.n.toFixed(2)).toBe('1.50')
  })

  test('returns how many rows it wrote', async () => {
    expect(await database.db.execute`INSERT INTO "Note" SELECT generate_series(1, 3)`).toBe(3)
    expect(await database.db.execute(sql`DELETE FROM "Note" WHERE "n" > ${1}`)).toBe(2)
  })
})

describe('a transaction', () => {
  test('is kept whole, or not at all', async () => {
    const wrong = database.db.transaction(async (within) => {
      await within.execute`INSERT INTO "Note" VALUES (10)`
      await within.execute`INSERT INTO "Note" VALUES (10)`
    })
    await expect(wrong).rejects.toMatchObject({ code: '23505' })
    expect(await database.db.transaction((within) => within.execute`INSERT INTO "Note" VALUES (11)`)).toBe(1)
    expect(await database.db.query`SELECT "n" FROM "Note" WHERE "n" >= 10`).toEqual([{ n: 11 }])
  })

  test('begins no statement after its time, and gives its connection back', async () => {
    const one = connect({ url: database.url, poolMax: 1, waitMs: 10_000 })
    const slow = one.db.transaction(
      async (within) => {
        await within.execute`INSERT INTO "Note" VALUES (20)`
        await within.query`SELECT pg_sleep(0.05)`
        await within.execute`INSERT INTO "Note" VALUES (21)`
      },
      { timeoutMs: 40 },
    )
    await expect(slow).rejects.toThrow('took longer than 40 ms')
    expect(await one.db.query`SELECT "n" FROM "Note" WHERE "n" >= 20`).toEqual([])
    await one.close()
  })
})

test('the embedded database, one session for all clients, does the same statements from all of them', async () => {
  const embedded = await openEmbedded(await embeddedFolder(), { warn: () => {} })
  const { db: shared, close } = connect({ url: embedded.url, ...EMBEDDED_LIMITS })
  await shared.execute`CREATE TABLE "Note" ("n" int PRIMARY KEY)`
  await Promise.all(Array.from({ length: 40 }, (_, n) => shared.execute`INSERT INTO "Note" VALUES (${n})`))
  const moved = Array.from({ length: 5 }, (_, n) =>
    shared.transaction(async (within) => {
      await within.execute`UPDATE "Note" SET "n" = "n" + 100 WHERE "n" = ${n}`
      return within.query`SELECT "n" FROM "Note" WHERE "n" = ${n + 100}`
    }),
  )
  expect(await Promise.all(moved)).toEqual([100, 101, 102, 103, 104].map((n) => [{ n }]))
  expect(await shared.query`SELECT count(*) AS "count" FROM "Note"`).toEqual([{ count: 40n }])
  await close()
  await embedded.close()
})
