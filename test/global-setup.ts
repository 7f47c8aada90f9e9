import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../server/store/migrate'
import { startCluster } from './postgres'

/** The database every test database is a copy of. */
export const TEMPLATE = 'quittance_template'

/** One throw-away PostgreSQL for the run, with one migrated database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-run-'))
  const tidy = async () => {
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
  // an interrupted run must not leave a server behind; a second interruption ends the process the usual way
  const interrupted = () => void tidy().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted)
  try {
    await createTemplate(cluster.url('postgres'), cluster.url(TEMPLATE))
  } catch (error) {
    await tidy()
    throw error
  }
  project.provide('postgres', cluster.url(''))
  project.provide('embedded', path.join(folder, 'embedded'))
  return tidy
}

async function createTemplate(admin: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${TEMPLATE}`)
  await migrate(template)
  await client.end()
}
