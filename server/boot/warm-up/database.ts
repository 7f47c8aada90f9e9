import { isUint8Array } from 'node:util/types'
import { type Db, dbOf } from '../../db/database'
import { type Sql, type SqlValue, sql } from '../../db/sql'
import { statementsBy } from '../../db/statements'

type Answer = { named: string; columns: Sql; rows: (values: readonly SqlValue[], key: string) => object[] }

/** What the database would say of a tenant that used a thousand units, to each statement of verify and settle by a text it has. */
const ANSWERS: readonly Answer[] = [
  {
    named: 'FROM "ApiKey" k JOIN',
    columns: sql`"hex" text, "keyId" uuid, "tenantId" uuid, "version" int, "ownerKind" text, "ownerId" text, "plan" text, "historyEnabled" bool,
      "ownQuota" bool, "madeFrom" text, "rps" int, "settlementQuota" int, "verificationQuota" int, "allowedNetworks" text[],
      "payToAllow" text[], "maxAmount" text, "shareTransactions" bool, "waitUntil" text, "publicReceipts" bool, "secondChargeSeconds" int`,
    rows: (values, key) => (listIn(values).map(hexOf).includes(key) ? [{ hex: key, ...KEY }] : []),
  },
  {
    named: 'AS a("subject")',
    columns: sql`"subject" text, "period" text, "settlement" int, "verification" int`,
    rows: (values) => listIn(values).map((subject) => ({ subject, period: month(), settlement: UNITS, verification: UNITS })),
  },
  {
    named: 'SKIP LOCKED',
    columns: sql`"subject" text, "meter" text, "period" text, "taken" int, "other" int`,
    rows: (values) => listIn(values).map(taken),
  },
  {
    named: 'AS "taken"',
    columns: sql`"period" text, "taken" int, "other" int`,
    rows: ([subject = '']) => [taken(subject)],
  },
  {
    named: 'jsonb_to_recordset',
    columns: sql`"id" uuid, "won" bool, "broken" text, "alone" bool, "spentQuota" bool, "month" text, "settlements" int, "verifications" int`,
    rows: (values) => idsIn(values).map(won),
  },
]

const ID = '00000000-0000-0000-0000-00000000ffff'

/** The key with its tenant. */
const KEY = {
  keyId: ID,
  tenantId: ID,
  version: 1,
  ownerKind: 'oidc',
  ownerId: 'warm-up',
  plan: 'scale',
  historyEnabled: true,
  ownQuota: false,
  rps: 1_000_000,
  allowedNetworks: [],
  payToAllow: [],
  shareTransactions: true,
  publicReceipts: false,
  secondChargeSeconds: null,
}

/**
 * A database that answers the statements of verify and settle for one API key, whose SHA-256 is `hash`. It keeps nothing. The real one is asked for rows of values instead, and
 * reads no table: so the driver is warm, and each row has the shape of a real one.
 */
export function createMadeUpDb(real: Db, hash: Uint8Array): Db {
  const key = hexOf(hash)
  const statements = statementsBy(async ({ text, values }) => {
    const answer = ANSWERS.find(({ named }) => text.includes(named))
    const rows = answer
      ? await real.query`SELECT * FROM jsonb_to_recordset(${JSON.stringify(answer.rows(values, key))}::jsonb) AS a(${answer.columns})`
      : await real.query`SELECT ${text}::text AS "text" WHERE ${values.length}::int < 0`
    return { rows, affected: rows.length }
  })
  return dbOf(statements)
}

const UNITS = 1_000

const month = () => new Date().toISOString().slice(0, 7)
const taken = (subject: SqlValue) => ({ subject, meter: 'verification', period: month(), taken: UNITS, other: UNITS })
const won = (id: string) => ({
  id,
  won: true,
  alone: false,
  spentQuota: false,
  month: month(),
  settlements: UNITS,
  verifications: UNITS,
})

const listIn = (values: readonly SqlValue[]): readonly SqlValue[] => values.find(Array.isArray) ?? []
const hexOf = (value: SqlValue) => (isUint8Array(value) ? Buffer.from(value).toString('hex') : '')

function idsIn(values: readonly SqlValue[]): string[] {
  const claims = values.find((value) => typeof value === 'string' && value.startsWith('[{'))
  const rows: { id: string }[] = JSON.parse(String(claims))
  return rows.map(({ id }) => id)
}
