import { type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'

/** The payers of a bitmap: the number of bits. The column has this type too. */
const CHUNK = 8_192
/** From so many payers a bitmap is faster to unite than a list, and not much larger. */
const DENSE = 32

/** A part of a tenant's day, by its number. */
type DayPart = { tenantId: string; day: string; part: number }

/**
 * Numbers the payers of some history rows that have no number yet. `rows` is a table with its conditions, named `h`. Numbers stay
 * forever. In one order, so that two statements do not wait for each other.
 */
export async function numberPayers(db: Statements, rows: Sql): Promise<void> {
  await db.execute`
    INSERT INTO "PayerNumber" ("payer")
    SELECT DISTINCT h."payer" FROM ${rows} AND h."payer" <> '' AND NOT EXISTS (SELECT FROM "PayerNumber" n WHERE n."payer" = h."payer")
    ORDER BY 1 ON CONFLICT DO NOTHING`
}

/** Stores who paid in some history rows, by network and token. All payers must have numbers. Readers unite the parts of a day. */
export async function storePayers(db: Statements, rows: Sql, { tenantId, day, part }: DayPart): Promise<void> {
  const its = sql`${tenantId}::uuid, ${day}::date, ${part}::int`
  await db.execute`
    WITH paid AS (
      SELECT "network", "symbol", n."no" FROM (SELECT DISTINCT h."network", h."symbol", h."payer" FROM ${rows} AND h."payer" <> '') p
      JOIN "PayerNumber" n USING ("payer")
    ), chunk AS MATERIALIZED (
      SELECT "network", "symbol", ${chunkOf(sql`"no"`)} AS "chunk", array_agg("no" ORDER BY "no") AS "nos" FROM paid GROUP BY 1, 2, 3
    ), dense AS (
      INSERT INTO "RollupPayerBits" ("tenantId", "day", "part", "network", "symbol", "chunk", "bits")
      SELECT ${its}, "network", "symbol", "chunk", (SELECT bit_or(set_bit(B'0'::bit(${LENGTH}), ${bitOf(sql`"no"`)}, 1)) FROM unnest("nos") "no")
      FROM chunk WHERE cardinality("nos") >= ${DENSE}::int
    )
    INSERT INTO "RollupPayerList" ("tenantId", "day", "part", "network", "symbol", "nos")
    SELECT ${its}, "network", "symbol", array_agg("no" ORDER BY "no") FROM chunk, unnest("nos") "no"
    WHERE cardinality("nos") < ${DENSE}::int GROUP BY "network", "symbol"`
}

/** Forgets who paid a tenant on a day, before it is stored again. */
export async function forgetPayers(db: Statements, { tenantId, day }: Omit<DayPart, 'part'>): Promise<void> {
  await db.execute`DELETE FROM "RollupPayerBits" WHERE "tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
  await db.execute`DELETE FROM "RollupPayerList" WHERE "tenantId" = ${tenantId}::uuid AND "day" = ${day}::date`
}

/**
 * Common table expressions that count distinct payers, as "now" and "then" of `payer`: since the day `since`, and before it. They unite
 * bitmaps, lists and the rows of `raw`. `stored` joins and filters a table of stored payers, named `p`.
 */
export function countingPayers(since: Sql, stored: (table: Sql) => Sql): Sql {
  const either = (column: Sql) => sql`bool_or(${column} >= ${since}) AS "now", bool_or(${column} < ${since}) AS "then"`
  const counted = (when: Sql) => sql`
    COALESCE((SELECT sum(bit_count(${when})) FROM dense), 0)
      + (SELECT count(*) FROM listed l LEFT JOIN dense b ON b."chunk" = ${chunkOf(sql`l."no"`)}
         WHERE l.${when} AND COALESCE(get_bit(b.${when}, ${bitOf(sql`l."no"`)}), 0) = 0)
      + (SELECT count(*) FROM met WHERE "no" IS NULL AND ${when})`
  return sql`
    dense AS MATERIALIZED (
      SELECT p."chunk", bit_or(p."bits") FILTER (WHERE p."day" >= ${since}) AS "now", bit_or(p."bits") FILTER (WHERE p."day" < ${since}) AS "then"
      FROM ${stored(sql`"RollupPayerBits"`)} GROUP BY p."chunk"
    ), met AS MATERIALIZED (
      SELECT n."no", r."now", r."then" FROM (SELECT "payer", ${either(sql`"day"`)} FROM raw WHERE "payer" <> '' GROUP BY "payer") r
      LEFT JOIN "PayerNumber" n ON n."payer" = r."payer"
    ), listed AS MATERIALIZED (
      SELECT "no", bool_or("now") AS "now", bool_or("then") AS "then" FROM (
        SELECT unnest(p."nos") AS "no", p."day" >= ${since} AS "now", p."day" < ${since} AS "then" FROM ${stored(sql`"RollupPayerList"`)}
        UNION ALL SELECT "no", "now", "then" FROM met WHERE "no" IS NOT NULL
      ) each GROUP BY "no"
    ), payer AS MATERIALIZED (
      SELECT (${counted(sql`"now"`)})::bigint AS "now", (${counted(sql`"then"`)})::bigint AS "then"
    )`
}

/** Counts payers by day, as common table expressions: `daily` has the `payers` of each "day". */
export function countingDailyPayers(stored: (table: Sql) => Sql): Sql {
  return sql`
    dense AS MATERIALIZED (
      SELECT p."day", p."chunk", bit_or(p."bits") AS "bits" FROM ${stored(sql`"RollupPayerBits"`)} GROUP BY 1, 2
    ), met AS MATERIALIZED (
      SELECT r."day", r."payer", n."no" FROM (SELECT DISTINCT "day", "payer" FROM raw WHERE "payer" <> '') r
      LEFT JOIN "PayerNumber" n ON n."payer" = r."payer"
    ), listed AS MATERIALIZED (
      SELECT p."day", unnest(p."nos") AS "no" FROM ${stored(sql`"RollupPayerList"`)}
      UNION SELECT "day", "no" FROM met WHERE "no" IS NOT NULL
    ), counted AS (
      SELECT "day", bit_count("bits") AS "payers" FROM dense
      UNION ALL
      SELECT l."day", count(*) FROM listed l LEFT JOIN dense b ON b."day" = l."day" AND b."chunk" = ${chunkOf(sql`l."no"`)}
      WHERE COALESCE(get_bit(b."bits", ${bitOf(sql`l."no"`)}), 0) = 0 GROUP BY 1
      UNION ALL
      SELECT "day", count(*) FROM met WHERE "no" IS NULL GROUP BY 1
    ), daily AS (
      SELECT "day", sum("payers")::int AS "payers" FROM counted GROUP BY 1
    )`
}

// A type's length cannot be a parameter.
const LENGTH = sql`8192`

const chunkOf = (number: Sql) => sql`${number} / ${CHUNK}::int`
const bitOf = (number: Sql) => sql`${number} % ${CHUNK}::int`
