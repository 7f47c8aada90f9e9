import { type Db, dbOf } from '../../db/database'
import type { SqlValue } from '../../db/sql'
import { statementsBy } from '../../db/statements'

type Answer = { named: string; rows: (values: readonly SqlValue[]) => object[] }

/** What the database would say of a tenant that used a thousand units, to each statement of verify and settle by a text it has. */
const ANSWERS: readonly Answer[] = [
  { named: 'AS a("subject")', rows: (values) => subjectsIn(values).map((subject) => ({ subject, period: month(), ...USED })) },
  { named: 'SKIP LOCKED', rows: (values) => subjectsIn(values).map(taken) },
  { named: 'AS "taken"', rows: ([subject = '']) => [taken(subject)] },
  { named: 'jsonb_to_recordset', rows: (values) => idsIn(values).map(won) },
]

/** A database that answers the statements of verify and settle. It keeps nothing. Any other statement reads no row of the real one, which warms the driver. */
export function createMadeUpDb(real: Db): Db {
  const statements = statementsBy(async ({ text, values }) => {
    const answer = ANSWERS.find(({ named }) => text.includes(named))
    const rows = answer?.rows(values) ?? (await real.query`SELECT ${text}::text AS "text" WHERE ${values.length}::int < 0`)
    return { rows, affected: rows.length }
  })
  return dbOf(statements)
}

const UNITS = 1_000
const USED = { settlement: UNITS, verification: UNITS }

const month = () => new Date().toISOString().slice(0, 7)
const taken = (subject: SqlValue) => ({ subject, meter: 'verification', period: month(), taken: UNITS, other: UNITS })
const won = (id: string) => ({
  id,
  won: true,
  broken: null,
  alone: false,
  spentQuota: false,
  month: month(),
  settlements: UNITS,
  verifications: UNITS,
})

const subjectsIn = (values: readonly SqlValue[]): readonly SqlValue[] => values.find(Array.isArray) ?? []

function idsIn(values: readonly SqlValue[]): string[] {
  const claims = values.find((value) => typeof value === 'string' && value.startsWith('[{'))
  const rows: { id: string }[] = JSON.parse(String(claims))
  return rows.map(({ id }) => id)
}
