import { connect, type Db } from '../../db/database'
import { migrationNames } from '../../db/migrate'
import type { Env } from '../../env/env'
import { hasMigrations, readClock, readMigrations, readVersion } from '../queries'
import { check, type Finding, ok, unset, wrong } from './findings'

const VERSION_LEAST = 14
const SKEW_MAX_MS = 2_000

/** The database as the doctor uses it: never migrated, never written to. */
export function openForReading({ DATABASE_URL }: Env): { db: Db | null; close(): Promise<void> } {
  return DATABASE_URL === undefined
    ? { db: null, close: async () => {} }
    : connect({ url: DATABASE_URL, poolMax: 3, waitMs: 5_000 })
}

/** Checks response, version, migrations and clock of the database. */
export async function checkDatabase(db: Db | null): Promise<Finding[]> {
  if (!db) return [unset('DATABASE_URL', 'the embedded database is used: for trials and testnets; not checked')]
  const fix = 'start PostgreSQL, and check address, user and password in DATABASE_URL'
  const answers = await check('DATABASE_URL', fix, () => checkVersion(db))
  if (answers.some(({ status }) => status === 'wrong')) return answers
  return [
    ...answers,
    ...(await check('migrations', 'let the user of DATABASE_URL read "_prisma_migrations"', () => checkMigrations(db))),
    ...(await check('clock', fix, () => checkClock(db))),
  ]
}

async function checkVersion(db: Db): Promise<Finding> {
  const version = await readVersion(db)
  if (Number.parseInt(version, 10) >= VERSION_LEAST) return ok('DATABASE_URL', `PostgreSQL ${version}`)
  return wrong('DATABASE_URL', `PostgreSQL ${version} is too old`, `use PostgreSQL ${VERSION_LEAST} or newer`)
}

async function checkMigrations(db: Db): Promise<Finding> {
  const names = await migrationNames()
  if (!(await hasMigrations(db))) return ok('migrations', `none yet; the ${names.length} are applied at start`)
  const applied = await readMigrations(db)
  const strange = [...applied].filter((name) => !names.includes(name))
  if (strange.length > 0)
    return wrong(
      'migrations',
      `${strange.join(', ')} is not of this version`,
      'run the version that created the database, or a newer one',
    )
  const missing = names.filter((name) => !applied.has(name))
  return ok('migrations', missing.length === 0 ? `all ${names.length} are applied` : `${missing.join(', ')} is applied at start`)
}

async function checkClock(db: Db): Promise<Finding> {
  const sentAt = Date.now()
  const databaseTime = await readClock(db)
  const skew = Math.round(databaseTime - (sentAt + Date.now()) / 2)
  const summary = `the database's is ${skew} ms ahead of ours`
  if (Math.abs(skew) <= SKEW_MAX_MS) return ok('clock', summary)
  return wrong('clock', summary, 'synchronise both machines (NTP)')
}
