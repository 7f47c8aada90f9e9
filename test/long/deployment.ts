import pg from 'pg'
import { connect } from '../../server/db/database'
import { migrate } from '../../server/db/migrate'
import type { FreshDatabase } from '../database'
import { type KillSetup, startKillSetup } from '../kills'
import { type Cluster, startCluster } from '../postgres'
import type { ServiceProcess } from '../process'
import type { Outcome } from './traffic'

/** A setup on a PostgreSQL of its own, which a fault may stop, and the instances on it. */
export type Deployment = {
  setup: KillSetup
  cluster: Cluster
  services: ServiceProcess[]
  /** Does something to the ledger as its owner, whatever the fault makes of other sessions. */
  sql: (statement: string) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault shall last. */
  lasts: () => boolean
}

/** What a fault needs beside the services, and how it happens. */
export type Prepared = {
  /** What the first and the second instance are told beside the usual. */
  variables?: (at: number) => Record<string, string>
  happen: (deployment: Deployment) => Promise<void>
  /** What must be true in the end besides the auditor's verdict; each sentence is an offence. */
  offences?: (deployment: Deployment, outcome: Outcome) => Promise<string[]> | string[]
  close?: () => Promise<void>
}

/** Something that goes wrong around the service; `id` is its name in the plan of faults. */
export type Operation = {
  id: string
  what: string
  tier: 'sandbox' | 'flash'
  /** What clients may be told beside outcomes, conflicts and trouble of ours or an upstream's. */
  told?: number[]
  prepare: (setup: KillSetup) => Promise<Prepared>
}

const LEDGER = 'ledger'

/** Opens a setup whose ledger is on a cluster of its own. */
export async function openDeployment(variables: Record<string, string>, tier: Operation['tier']) {
  const cluster = await startCluster()
  const setup = await startKillSetup(variables, tier, () => ledgerOn(cluster)).catch(async (error: unknown) => {
    await cluster.remove()
    throw error
  })
  const close = async () => {
    await setup.close()
    await cluster.remove()
  }
  // A merchant who looks while the ledger is away learns nothing and looks again.
  const patient: KillSetup = { ...setup, settlementsOf: (sender) => setup.settlementsOf(sender).catch(() => []) }
  return { setup: patient, cluster, sql: (statement: string) => say(cluster.url(LEDGER), statement), close }
}

async function ledgerOn(cluster: Cluster): Promise<FreshDatabase> {
  await say(cluster.url('postgres'), `CREATE DATABASE ${LEDGER}`)
  const url = cluster.url(LEDGER)
  await migrate(url)
  return { url, ...connect({ url, waitMs: 10_000 }) }
}

async function say(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
