import { connect, type Db } from '../../db/database'
import { migrationNames } from '../../db/migrate'
import type { Env } from '../../env'
import { hasMigrations, readClock, readMigrations, readVersion } from '../queries'
import { type Finding, looked, ok, unset, wrong } from './findings'

const VERSION_LEAST = 14
const SKEW_MAX_MS = 2_000

/** The database as the doctor uses it: never migrated, never written to. */
export function openForReading({ DATABASE_URL }: Env): { db: Db | null; close(): Promise<void> } {
  return DATABASE_URL === undefined
    ? { db: null, close: async () => {} }
    : connect({ url: DATABASE_URL, poolMax: 3, waitMs: 5_000 })
}

/** Whether it answers, what it is, what it lacks, and its clock against ours. */
export async function lookAtDatabase(db: Db | null): Promise<Finding[]> {
  if (!db) return [unset('DATABASE_URL', 'the embedded database is used: for trying out and testnets, and not looked at')]
  const mend = 'start PostgreSQL, and compare DATABASE_URL with its address, user and password'
  const answers = await looked('DATABASE_URL', mend, () => lookAtVersion(db))
  if (answers.some(({ standing }) => standing === 'wrong')) return answers
  return [
    ...answers,
    ...(await looked('migrations', 'let the user of DATABASE_URL read "_prisma_migrations"', () => lookAtMigrations(db))),
    ...(await looked('clock', mend, () => lookAtClock(db))),
  ]
}

async function lookAtVersion(db: Db): Promise<Finding> {
  const version = await readVersion(db)
  if (Number.parseInt(version, 10) >= VERSION_LEAST) return ok('DATABASE_URL', `PostgreSQL ${version}`)
  return wrong('DATABASE_URL', `PostgreSQL ${version} is too old`, `use PostgreSQL ${VERSION_LEAST} or newer`)
}

async function lookAtMigrations(db: Db): Promise<Finding> {
  const names = await migrationNames()
  if (!(await hasMigrations(db))) return ok('migrations', `none yet; the ${names.length} are applied at start`)
  const applied = await readMigrations(db)
  const strange = [...applied].filter((name) => !names.includes(name))
  if (strange.length > 0)
    return wrong(
      'migrations',
      `${strange.join(', ')} is not of this version`,
      'run the version that the database was made with, or a newer one',
    )
  const missing = names.filter((name) => !applied.has(name))
  return ok('migrations', missing.length === 0 ? `all ${names.length} are applied` : `${missing.join(', ')} is applied at start`)
}

async function lookAtClock(db: Db): Promise<Finding> {
  const asked = Date.now()
  const told = await readClock(db)
  const skew = Math.round(told - (asked + Date.now()) / 2)
  const said = `the database’s is ${skew} ms ahead of ours`
  if (Math.abs(skew) <= SKEW_MAX_MS) return ok('clock', said)
  return wrong('clock', said, 'synchronise both machines (NTP)')
}
