import pg from 'pg'
import { connect } from '../../../server/db/database'
import { migrate } from '../../../server/db/migrate'
import type { FreshDatabase } from '../../support/database/database'
import { type Cluster, startCluster } from '../../support/database/postgres'
import { inParts } from '../../support/parts'
import type { ServiceProcess } from '../../support/service/process'
import { type KillSetup, startKillSetup } from '../kill/kills'
import type { Outcome } from './traffic'

/** A kill setup with its own PostgreSQL, which a fault may stop, and the running instances. */
export type Deployment = {
  setup: KillSetup
  cluster: Cluster
  services: ServiceProcess[]
  /** Runs a statement on the ledger as its owner, in a session that accepts writes. */
  sql: (statement: string) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault lasts. */
  lasts: () => boolean
}

/** A prepared fault: its services' variables, its course and its checks. */
export type Prepared = {
  /** Extra environment variables of an instance, by its index. */
  variables?: (at: number) => Record<string, string>
  happen: (deployment: Deployment) => Promise<void>
  /** Checks beyond the auditor's; each returned sentence is a violation. */
  offences?: (deployment: Deployment, outcome: Outcome) => Promise<string[]> | string[]
  close?: () => Promise<void>
}

/** A fault in the service's surroundings; `id` is its id in the plan of faults. */
export type Operation = {
  id: string
  what: string
  tier: 'sandbox' | 'flash'
  /** Whether each payer sends its own signed approval along. */
  approving?: boolean
  /** The statuses that clients may get; the default list if unset. */
  allowed?: number[]
  prepare: (setup: KillSetup) => Promise<Prepared>
}

const LEDGER = 'ledger'

/** Makes a setup whose ledger has its own PostgreSQL. */
export function openDeployment(variables: Record<string, string>, tier: Operation['tier']) {
  return inParts(async (keep) => {
    const cluster = await keep(startCluster(), (one) => one.remove())
    const setup = await keep(
      startKillSetup(variables, tier, () => ledgerOn(cluster)),
      (one) => one.close(),
    )
    // A read while the ledger is down finds nothing; the caller reads again.
    const patient: KillSetup = { ...setup, settlementsOf: (customer) => setup.settlementsOf(customer).catch(() => []) }
    return { setup: patient, cluster, sql: (statement: string) => execute(cluster.url(LEDGER), statement) }
  })
}

async function ledgerOn(cluster: Cluster): Promise<FreshDatabase> {
  await execute(cluster.url('postgres'), `CREATE DATABASE ${LEDGER}`)
  const url = cluster.url(LEDGER)
  await migrate(url)
  return { url, ...connect({ url, waitMs: 10_000 }) }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
