import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { embeddedFolder } from '../../test/support/database/embedded'
import { until } from '../../test/support/until'
import { openEmbedded } from './embedded'
import { migrate } from './migrate'

const TRIGGER = `
CREATE TABLE "MigrationTest" (n int);
CREATE FUNCTION forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.n < OLD.n THEN RAISE EXCEPTION 'no way back'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER forward BEFORE UPDATE ON "MigrationTest" FOR EACH ROW EXECUTE FUNCTION forward();`

/** The migrations after the baseline, in their order. */
const LATER = (await readdir(path.join(import.meta.dirname, '../../prisma/migrations')))
  .filter((name) => /^\d+_/.test(name) && name !== '20261122100000_baseline')
  .toSorted()

let folder: string
let database: FreshDatabase

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quittance-migrations-'))
  const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
  await cp(migrations, folder, { recursive: true })
  database = await freshDatabase()
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

async function add(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true })
  await writeFile(path.join(folder, name, 'migration.sql'), sql)
}

const columns = () =>
  database.db.$queryRaw<unknown[]>`SELECT 1 FROM information_schema.columns WHERE table_name = 'MigrationTest'`

/** Leaves only these migrations on record, as applied. */
async function recordAs(names: string[]): Promise<void> {
  await database.db.execute`DELETE FROM "_prisma_migrations"`
  await database.db.execute`
    INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at") SELECT "name", '', "name", now() FROM unnest(${names}::text[]) AS "name"`
}

async function recorded(): Promise<string[]> {
  const rows = await database.db.query<{ name: string }>`SELECT "migration_name" AS "name" FROM "_prisma_migrations" ORDER BY 1`
  return rows.map(({ name }) => name)
}

describe('migrate', () => {
  test('applies what is missing, in order, once; bodies of functions may hold semicolons', async () => {
    await add('29990101000000_step', TRIGGER)
    await add('29990102000000_more', 'ALTER TABLE "MigrationTest" ADD COLUMN at timestamptz;')
    expect(await migrate(database.url, folder)).toEqual(['29990101000000_step', '29990102000000_more'])
    expect(await migrate(database.url, folder)).toEqual([])
    expect(await columns()).toHaveLength(2)
  })

  test('processes that start together apply each migration once', async () => {
    await add('29990101000000_step', TRIGGER)
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.url, folder)))
    expect(applied.flat()).toEqual(['29990101000000_step'])
  })

  test('a failing migration is named, leaves nothing behind, and is tried again', async () => {
    await add('29990101000000_wrong', 'CREATE TABLE "MigrationTest" (n int); SELECT nonsense();')
    const failure = 'database migration "29990101000000_wrong" failed: function nonsense() does not exist'
    await expect(migrate(database.url, folder)).rejects.toThrow(failure)
    await expect(migrate(database.url, folder)).rejects.toThrow(failure)
    expect(await columns()).toHaveLength(0)
    await add('29990101000000_wrong', TRIGGER)
    expect(await migrate(database.url, folder)).toEqual(['29990101000000_wrong'])
  })

  test('a start-up killed inside a migration does not stop the next one', async () => {
    await add('29990101000000_step', TRIGGER)
    await migrate(database.url, folder)
    await add('29990102000000_killed', 'ALTER TABLE "MigrationTest" ADD COLUMN at timestamptz;')
    await database.db
      .$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '29990102000000_killed')`
    expect(await migrate(database.url, folder)).toEqual(['29990102000000_killed'])
  })

  test('a database that development versions made step by step counts as made by the baseline', async () => {
    await recordAs(['20261120120000_ledger', '20261122090100_key_rate', ...LATER])
    expect(await migrate(database.url)).toEqual([])
    await add('29990101000000_step', TRIGGER)
    expect(await migrate(database.url, folder)).toEqual(['29990101000000_step'])
    expect(await recorded()).toEqual(['20261122100000_baseline', ...LATER, '29990101000000_step'])
  })

  test('one that lacks the last of those steps is left alone, and the error says what to do', async () => {
    await recordAs(['20261120120000_ledger', '20261121090000_keys'])
    await expect(migrate(database.url)).rejects.toThrow('made by an older development version: run the last version before')
    expect(await recorded()).toEqual(['20261120120000_ledger', '20261121090000_keys'])
  })

  test('with nothing to apply, it waits for no process that migrates', async () => {
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('SELECT pg_advisory_lock(402402402)')
    expect(await migrate(database.url, folder)).toEqual([])
    await other.end()
  })

  const INDEX = '-- Beside writers\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "MigrationTest_n_idx" ON "MigrationTest"("n");\n'
  const isValid = () => database.db.query`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('"MigrationTest_n_idx"')`

  test('an index is built while others write, by one of the processes that start together', async () => {
    await add('29990101000000_step', TRIGGER)
    await migrate(database.url, folder)
    await add('29990102000000_index', INDEX)
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, folder)))
    expect(applied.flat()).toEqual(['29990102000000_index'])
    expect(await isValid()).toEqual([{ indisvalid: true }])
  })

  test('an index whose build was killed is built again', async () => {
    await add('29990101000000_step', TRIGGER)
    await migrate(database.url, folder)
    await database.db.$executeRaw`CREATE INDEX "MigrationTest_n_idx" ON "MigrationTest"("n")`
    await database.db.$executeRaw`UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('"MigrationTest_n_idx"')`
    await add('29990102000000_index', INDEX)
    expect(await migrate(database.url, folder)).toEqual(['29990102000000_index'])
    expect(await isValid()).toEqual([{ indisvalid: true }])
  })

  test('a migration that needs a lock of a long reader lets writers pass, and is applied when the reader ends', async () => {
    await add('29990101000000_step', TRIGGER)
    await migrate(database.url, folder)
    await add('29990102000000_more', 'ALTER TABLE "MigrationTest" ADD COLUMN at timestamptz;')
    const [reader, writer] = [
      new pg.Client({ connectionString: database.url }),
      new pg.Client({ connectionString: database.url }),
    ]
    await Promise.all([reader.connect(), writer.connect()])
    await reader.query('BEGIN; SELECT * FROM "MigrationTest"')
    const applied = migrate(database.url, folder)
    // The first try waits for three seconds, the writer behind it no longer.
    await until(async () => (await waiting()) > 0, 'the migration to wait')
    await writer.query('INSERT INTO "MigrationTest" VALUES (1)')
    await reader.query('COMMIT')
    expect(await applied).toEqual(['29990102000000_more'])
    await Promise.all([reader.end(), writer.end()])
  })

  const waiting = async () => {
    const [row] = await database.db.query<{ count: number }>`
      SELECT count(*)::int AS "count" FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    return row?.count ?? 0
  }

  test('an unreachable database is said to be unreachable', async () => {
    await expect(migrate('postgresql://x@127.0.0.1:1/x', folder)).rejects.toThrow('ECONNREFUSED')
  })

  test('the same files on the embedded database', async () => {
    await add('29990101000000_step', TRIGGER)
    const data = await embeddedFolder()
    const embedded = await openEmbedded(data, { warn: () => {} })
    await add('29990102000000_index', INDEX)
    expect(await migrate(embedded.url, folder)).toEqual(expect.arrayContaining(['29990101000000_step', '29990102000000_index']))
    expect(await migrate(embedded.url, folder)).toEqual([])
    await embedded.close()
    await rm(data, { recursive: true })
  })

  test('the template of every test is up to date', async () => {
    expect(inject('postgres')).toMatch(/^postgresql:/)
    expect(await migrate(database.url)).toEqual([])
  })
})
