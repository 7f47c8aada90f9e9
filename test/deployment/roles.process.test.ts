import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../server/boot/app'
import { readEnv } from '../../server/env/env'
import { startCluster } from '../support/database/postgres'
import { testLog } from '../support/logs'
import { signed, v2Body } from '../support/payloads/payments'
import { startHarness } from '../support/service/harness'
import { newClient, newMerchant } from '../support/service/surface'
import { ROOT } from '../support/source-files'

const run = promisify(execFile)

/** A server with the owner of the tables and the service's role from `ops/roles.sql`. */
async function startWithRoles(): Promise<{ owner: string; service: string }> {
  const cluster = await startCluster()
  onTestFinished(cluster.remove)
  const admin = new URL(cluster.url('postgres'))
  const sql = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await sql(admin.href, 'CREATE ROLE quittance LOGIN CREATEROLE PASSWORD NULL')
  await sql(admin.href, 'GRANT pg_read_all_stats TO quittance WITH ADMIN OPTION')
  await sql(admin.href, 'CREATE DATABASE quittance OWNER quittance')
  await sql(cluster.url('quittance'), 'ALTER SCHEMA public OWNER TO quittance')
  const urlOf = (role: string) => `postgresql://${role}@${admin.host}/quittance`
  const make = () =>
    run('psql', [urlOf('quittance'), '--quiet', '--file', path.join(ROOT, 'ops/roles.sql')], {
      env: { ...process.env, SERVICE_PASSWORD: "it's" },
    })
  await make()
  // The script must also work on a database that has the roles.
  await make()
  return { owner: urlOf('quittance'), service: urlOf('quittance_service') }
}

test('the service settles as a role that owns no table, and another role migrates', async () => {
  const { owner, service } = await startWithRoles()
  const env = { DATABASE_URL: service, MIGRATION_DATABASE_URL: owner }
  const harness = await startHarness({ env, production: true })
  onTestFinished(harness.close)
  const settled = async () => (await newClient(harness.app).settle(v2Body(await signed(await harness.payer())))).body
  expect(await settled()).toMatchObject({ success: true })
  const { v1 } = await newMerchant(harness.app)
  expect((await v1.settle(v2Body(await signed(await harness.payer())))).body).toMatchObject({ success: true })

  const { db } = harness.app
  const [who] = await db.$queryRaw<{ role: string }[]>`SELECT current_user::text AS role`
  expect(who?.role).toBe('quittance_service')
  for (const statement of [
    'DROP TABLE "Settlement"',
    'TRUNCATE "Settlement" CASCADE',
    'ALTER TABLE "Settlement" DISABLE TRIGGER ALL',
    'CREATE TABLE "Mine" ("id" int)',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  ]) {
    await expect(db.$executeRawUnsafe(statement), statement).rejects.toThrow(/permission denied|must be owner/)
  }
  const again = await createApp(readEnv({ NODE_ENV: 'test', ...env }), testLog())
  await again.close()
  expect(await settled()).toMatchObject({ success: true })
})

test('a job migrates as the owner and ends; then the service starts without that role', async () => {
  const { owner, service } = await startWithRoles()
  const { PATH = '' } = process.env
  const job = () =>
    run(process.execPath, ['--import', 'tsx', 'server/operations/migrate.ts'], {
      cwd: ROOT,
      env: { PATH, NODE_ENV: 'production', MIGRATION_DATABASE_URL: owner },
    })
  expect((await job()).stdout).toMatch(/^Applied: \d{14}_baseline, /)
  expect((await job()).stdout).toBe('The database has all migrations.\n')
  const harness = await startHarness({ env: { DATABASE_URL: service }, production: true })
  onTestFinished(harness.close)
  expect((await newClient(harness.app).settle(v2Body(await signed(await harness.payer())))).body).toMatchObject({ success: true })
})

test('a dump of the restricted role is restored by the owner on a new server, with history, and the service goes on', async () => {
  const [lost, found] = [await startWithRoles(), await startWithRoles()]
  const before = await startHarness({ env: { DATABASE_URL: lost.service, MIGRATION_DATABASE_URL: lost.owner } })
  onTestFinished(before.close)
  expect((await newClient(before.app).settle(v2Body(await signed(await before.payer())))).body).toMatchObject({ success: true })
  const [row] = await before.app.db.settlement.findMany()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'quittance-dump-')), 'ledger.dump')
  onTestFinished(() => rmSync(path.dirname(file), { recursive: true }))
  await run('pg_dump', ['--format=custom', `--file=${file}`, lost.service])
  // Nothing may be refused: neither tables nor rights.
  await run('pg_restore', ['--exit-on-error', `--dbname=${found.owner}`, file])
  await expect(run('pg_restore', ['--clean', '--exit-on-error', `--dbname=${found.service}`, file])).rejects.toThrow(
    /must be owner/,
  )
  const after = await startHarness({ env: { DATABASE_URL: found.service } })
  onTestFinished(after.close)
  expect(await after.app.db.settlement.findMany({ select: { id: true, txHash: true } })).toEqual([
    { id: row?.id, txHash: row?.txHash },
  ])
  expect((await newClient(after.app).settle(v2Body(await signed(await after.payer())))).body).toMatchObject({ success: true })
})

test('without a migration role the service migrates itself, and fails at its start without the permission', async () => {
  const { owner, service } = await startWithRoles()
  await expect(createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: service }), testLog())).rejects.toThrow(/permission denied/)
  const app = await createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: owner }), testLog())
  await app.close()
})
