import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/database'
import { done } from '../db/outbox'
import { type Sql, sql } from '../db/sql'
import type { Statements } from '../db/statements'
import { endedWith, SWITCHED_OFF } from './endpoint-queries'
import { TEST_EVENT } from './events'
import { TRIED_HOURS } from './retries'

/** A message to deliver: the bytes to send, and its entry in the log. */
type DeliveryContent = {
  type: string
  /** Null in a test. */
  settlementId: string | null
  body: string
  /** Whether the log may keep the payload after the end. */
  kept: boolean
}

/** How long a delivery is retried: a test is tried once. */
export const triedFor = (type: string) => (type === TEST_EVENT ? sql`interval '0'` : sql`${TRIED_HOURS}::int * interval '1 hour'`)

const newDelivery = (id: Sql, { type, settlementId, body, kept }: DeliveryContent) => sql`
  INSERT INTO "WebhookDelivery" ("id", "endpointId", "ownerKind", "ownerId", "type", "settlementId", "body", "kept", "until")
  SELECT ${id}, w."id", w."ownerKind", w."ownerId", ${type}, ${settlementId}::uuid, ${body}, ${kept}, now() + ${triedFor(type)}`

/** Writes a delivery to each of these enabled endpoints and marks the effect as done, in one statement. */
export async function writeDeliveries(
  db: Db,
  effectId: string,
  endpointIds: readonly string[],
  content: DeliveryContent,
): Promise<void> {
  const ids = endpointIds.map(() => uuidv7())
  await db.execute`
    WITH ${done(effectId)}, told AS (
      ${newDelivery(sql`chosen."id"`, content)}
      FROM mine CROSS JOIN unnest(${ids}::uuid[], ${[...endpointIds]}::uuid[]) AS chosen("id", "endpointId")
        JOIN "WebhookEndpoint" w ON w."id" = chosen."endpointId" AND w."disabledAt" IS NULL
      ON CONFLICT ("endpointId", "settlementId", "type") DO NOTHING
    )
    SELECT 1 FROM mine`
}

/**
 * Writes a delivery to one enabled endpoint. Returns its id, or null when the endpoint is disabled or has `pendingMax` pending deliveries.
 */
export async function writeDelivery(
  within: Statements,
  endpointId: string,
  content: DeliveryContent,
  pendingMax: number,
): Promise<string | null> {
  const id = uuidv7()
  const pending = sql`SELECT 1 FROM "WebhookDelivery" WHERE "endpointId" = ${endpointId}::uuid AND "state" = 'pending' LIMIT ${pendingMax}`
  const written = await within.execute`
    ${newDelivery(sql`${id}::uuid`, content)}
    FROM "WebhookEndpoint" w WHERE w."id" = ${endpointId}::uuid AND w."disabledAt" IS NULL
      AND (SELECT count(*) FROM (${pending}) pending) < ${pendingMax}`
  return written === 1 ? id : null
}

/** A delivery taken to be sent. `no` counts its tries, `failures` the failed ones since its last start. */
export type TakenDelivery = {
  id: string
  endpointId: string
  ownerId: string
  no: number
  failures: number
  body: string
  url: string
  disabled: boolean
  secret: Uint8Array
  /** The previous secret, while it signs too. */
  earlier: Uint8Array | null
}

/** The deliveries of an endpoint that a worker is sending. */
export type InHand = Pick<TakenDelivery, 'endpointId' | 'ownerId'>

// The limits in flight per endpoint and owner. Literals, because a generic plan would sort the whole queue.
const OF_ENDPOINT = sql`4`
const OF_OWNER = sql`8`

/**
 * Takes due deliveries under a lease of `leaseMs`: the owners with fewer in flight first, then the oldest, so that no slow receiver and
 * no large owner holds up others. It steps from endpoint to endpoint, so a long queue of one costs nothing.
 */
export function takeDeliveries(
  db: Db,
  by: { limit: number; inHand: readonly InHand[]; leaseMs: number },
): Promise<TakenDelivery[]> {
  const isDue = sql`"state" = 'pending' AND "nextAt" <= now()`
  const next = sql`ORDER BY d."endpointId" LIMIT 1`
  const [endpoints, owners] = [by.inHand.map(({ endpointId }) => endpointId), by.inHand.map(({ ownerId }) => ownerId)]
  return db.query<TakenDelivery>`
    WITH RECURSIVE waiting AS (
      (SELECT d."endpointId", d."ownerId" FROM "WebhookDelivery" d WHERE d."state" = 'pending' ${next})
      UNION ALL
      SELECT n."endpointId", n."ownerId" FROM waiting w CROSS JOIN LATERAL (
        SELECT d."endpointId", d."ownerId" FROM "WebhookDelivery" d WHERE d."state" = 'pending' AND d."endpointId" > w."endpointId" ${next}
      ) n
    ), "ofEndpoint" AS (
      SELECT "endpointId", count(*) AS "has" FROM unnest(${endpoints}::uuid[]) AS e("endpointId") GROUP BY 1
    ), "ofOwner" AS (
      SELECT "ownerId", count(*) AS "has" FROM unnest(${owners}::text[]) AS o("ownerId") GROUP BY 1
    ), due AS MATERIALIZED (
      SELECT d."id", d."nextAt", w."ownerId" FROM waiting w LEFT JOIN "ofEndpoint" e USING ("endpointId") CROSS JOIN LATERAL (
        SELECT "id", "nextAt", row_number() OVER (ORDER BY "nextAt", "id") AS "rank"
        FROM "WebhookDelivery" WHERE "endpointId" = w."endpointId" AND ${isDue} ORDER BY "nextAt", "id" LIMIT ${OF_ENDPOINT}
      ) d WHERE d."rank" + COALESCE(e."has", 0) <= ${OF_ENDPOINT}
    ), turns AS (
      SELECT "id", "nextAt", row_number() OVER (PARTITION BY "ownerId" ORDER BY "nextAt", "id") + COALESCE("has", 0) AS "turn"
      FROM due LEFT JOIN "ofOwner" USING ("ownerId")
    ), mine AS (
      SELECT d."id" FROM "WebhookDelivery" d
      WHERE d."id" IN (SELECT "id" FROM turns WHERE "turn" <= ${OF_OWNER} ORDER BY "turn", "nextAt", "id" LIMIT ${by.limit}) AND ${isDue}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE "WebhookDelivery" d SET "tries" = d."tries" + 1, "nextAt" = now() + ${by.leaseMs}::int * interval '1 ms'
    FROM mine, "WebhookEndpoint" w WHERE d."id" = mine."id" AND w."id" = d."endpointId"
    RETURNING d."id", d."endpointId", d."ownerId", d."tries" AS "no", d."failures", d."body", w."url", w."disabledAt" IS NOT NULL AS "disabled",
      w."secret", CASE WHEN w."graceUntil" > now() THEN w."earlier" END AS "earlier"`
}

/** Makes every pending delivery due now: only after a start on a database that this process alone uses. */
export async function freeDeliveries(db: Db): Promise<void> {
  await db.execute`
    UPDATE "WebhookDelivery" SET "nextAt" = now() WHERE "state" = 'pending' AND "tries" > "failures" AND "nextAt" > now()`
}

/** The result of a try: the response status with the beginning of its body as text, or why there was none. */
export type Attempt = {
  no: number
  status: number | null
  error: string | null
  answer: string | null
  milliseconds: number
}

/** Whether a try delivered the message. */
export const isGood = ({ status }: Pick<Attempt, 'status'>): boolean => status !== null && status >= 200 && status < 300

/** How many answers an owner has at most: of tries that delivered, and as many of others. */
export const ANSWERS_MAX = 500
const TRIMMED_MAX = 16

// An ended delivery loses its payload where history is off.
const ended = sql`"endedAt" = now(), "body" = CASE WHEN "kept" THEN "body" END,
  "settlementId" = CASE WHEN "kept" THEN "settlementId" END`
const result = ({ status, error }: Attempt) => sql`"lastStatus" = ${status}::int, "lastError" = ${error}`
const TRIED = sql`"id", "endpointId", "ownerKind", "ownerId", "kept"`
const noted = ({ no, status, error, milliseconds }: Attempt) => sql`
  INSERT INTO "WebhookAttempt" ("deliveryId", "no", "status", "error", "milliseconds")
  SELECT "id", ${no}::int, ${status}::int, ${error}, ${milliseconds}::int FROM tried ON CONFLICT DO NOTHING`

// Beside `tried`: counts the try in its hour.
const counted = (attempt: Attempt) => sql`, counted AS (
      INSERT INTO "WebhookHour" AS h ("endpointId", "hour", "good", "bad")
      SELECT "endpointId", date_trunc('hour', now(), 'UTC'), ${isGood(attempt) ? 1 : 0}::int, ${isGood(attempt) ? 0 : 1}::int FROM tried
      ON CONFLICT ("endpointId", "hour") DO UPDATE SET "good" = h."good" + EXCLUDED."good", "bad" = h."bad" + EXCLUDED."bad"
    )`

// Beside `tried` and `noted`: keeps the answer, unless history is off, and deletes the oldest ones beyond the limit.
function answered({ no, answer, status }: Attempt): Sql {
  if (answer === null) return sql``
  const good = isGood({ status })
  const older = sql`
    SELECT a."deliveryId", a."no" FROM tried t CROSS JOIN LATERAL (
      SELECT "deliveryId", "no" FROM "WebhookAnswer" WHERE "ownerKind" = t."ownerKind" AND "ownerId" = t."ownerId" AND "good" = ${good}
      ORDER BY "at" DESC OFFSET ${ANSWERS_MAX - 1}::int LIMIT ${TRIMMED_MAX}::int
    ) a`
  return sql`, answered AS (
      INSERT INTO "WebhookAnswer" ("deliveryId", "no", "ownerKind", "ownerId", "good", "text")
      SELECT "id", ${no}::int, "ownerKind", "ownerId", ${good}, ${answer} FROM tried WHERE "kept" ON CONFLICT DO NOTHING
    ), trimmed AS (
      DELETE FROM "WebhookAnswer" WHERE ("deliveryId", "no") IN (
        SELECT w."deliveryId", w."no" FROM "WebhookAnswer" w JOIN (${older}) o USING ("deliveryId", "no") FOR UPDATE OF w SKIP LOCKED
      )
    )`
}

/** Records a delivered message, also after its lease was lost. */
export async function recordDelivered(db: Db, id: string, attempt: Attempt): Promise<void> {
  await db.execute`
    WITH tried AS (
      UPDATE "WebhookDelivery" SET "state" = 'delivered', ${result(attempt)}, ${ended}
      WHERE "id" = ${id}::uuid AND "state" <> 'delivered' RETURNING ${TRIED}
    )${answered(attempt)}${counted(attempt)} ${noted(attempt)}`
}

/** Milliseconds until the next try: our own schedule, and the receiver's request. */
type Pauses = { oursMs: number; politeMs: number }

/** Records a failed try: it is retried after a pause, at the latest at its deadline, or ends when our next try would be too late. */
export async function recordUndelivered(db: Db, id: string, attempt: Attempt, { oursMs, politeMs }: Pauses): Promise<void> {
  const after = (pauseMs: number) => sql`now() + ${pauseMs}::int * interval '1 ms'`
  const again = sql`LEAST(${after(politeMs)}, "until")`
  const late = sql`${after(oursMs)} > "until"`
  await db.execute`
    WITH tried AS (
      UPDATE "WebhookDelivery" SET "failures" = "failures" + 1, "nextAt" = ${again}, ${result(attempt)},
        "state" = CASE WHEN ${late} THEN 'failed' ELSE 'pending' END, "endedAt" = CASE WHEN ${late} THEN now() END,
        "body" = CASE WHEN "kept" OR NOT ${late} THEN "body" END, "settlementId" = CASE WHEN "kept" OR NOT ${late} THEN "settlementId" END
      WHERE "id" = ${id}::uuid AND "state" = 'pending' AND "tries" = ${attempt.no}::int RETURNING ${TRIED}
    )${answered(attempt)}${counted(attempt)} ${noted(attempt)}`
}

/**
 * Records 410 Gone: disables the endpoint and ends its other pending deliveries. Returns false and writes nothing when the endpoint has
 * another URL by now. It does not count in its hour: this statement locks many deliveries, so that lock could close a circle.
 */
export async function recordGone(db: Db, { id, endpointId, url }: TakenDelivery, attempt: Attempt): Promise<boolean> {
  const rows = await db.query<unknown>`
    WITH there AS (
      SELECT "id" FROM "WebhookEndpoint" WHERE "id" = ${endpointId}::uuid AND "url" = ${url} FOR NO KEY UPDATE
    ), tried AS (
      UPDATE "WebhookDelivery" d SET "state" = 'failed', "failures" = "failures" + 1, ${result(attempt)}, ${ended}
      FROM there WHERE d."id" = ${id}::uuid AND "state" = 'pending' RETURNING d."id", d."ownerKind", d."ownerId", d."kept"
    )${answered(attempt)}, silenced AS (
      UPDATE "WebhookEndpoint" w SET "disabledAt" = now(), "gone" = true
      FROM there WHERE w."id" = there."id" AND "disabledAt" IS NULL RETURNING w."id"
    ), over AS (${endedWith(sql`silenced`)} AND d."id" <> ${id}::uuid), noted AS (${noted(attempt)})
    SELECT 1 FROM there`
  return rows.length === 1
}

/** Ends a delivery of a disabled endpoint without a try. */
export async function recordSilenced(db: Db, id: string): Promise<void> {
  await db.execute`
    UPDATE "WebhookDelivery" SET "state" = 'failed', "tries" = "tries" - 1, "lastError" = ${SWITCHED_OFF}, ${ended}
    WHERE "id" = ${id}::uuid AND "state" = 'pending'`
}
