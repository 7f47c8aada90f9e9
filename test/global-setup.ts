import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../server/db/migrate'
import { startCluster } from './support/database/postgres'

/** The template of every test database. */
export const TEMPLATE = 'quittance_template'

/** Starts a temporary PostgreSQL for the run, with the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // `npm run verify` works without PostgreSQL.
  if (project.vitest.projects.every(({ name }) => name === 'pure')) return async () => {}
  const cluster = await startCluster()
  try {
    await createTemplate(cluster.url('postgres'), cluster.url(TEMPLATE))
  } catch (error) {
    await cluster.remove()
    throw error
  }
  project.provide('postgres', cluster.url(''))
  project.provide('embedded', path.join(cluster.folder, 'embedded'))
  return cluster.remove
}

async function createTemplate(admin: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${TEMPLATE}`)
  await migrate(template)
  await client.end()
}
