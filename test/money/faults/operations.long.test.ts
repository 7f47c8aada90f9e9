import { beforeAll, expect, test } from 'vitest'
import { NO_OFFENCE } from '../audit'
import { approvingPayments, evmPayments } from './chain-payments'
import { type Deployment, type Operation, openDeployment, type Prepared } from './deployment'
import { ofDatabases } from './faults-database'
import { ofLoads } from './faults-load'
import { ofSurroundings } from './faults-operations'
import { beginReport, report } from './report'
import { SETTLES_A_SECOND, travel } from './traffic'

/** How long each fault lasts. */
const SECONDS = Number(process.env.FAULT_SECONDS ?? 60)
/** Time for starting both instances, making payers, the fault, open payments and the audit. */
const TIMEOUT_MS = SECONDS * 1_000 * 4 + 400_000
/** The statuses that clients may get during a fault; a 500 is never allowed. */
const ALLOWED = [200, 409, 429, 502, 503]
/** In the log once a lane is ready, or leased to another instance. */
const AWAITED = '"to":'
const PACE = {
  SETTLE_DEADLINE_MS: '6000',
  LEASE_MS: '3000',
  BATCH_MAX: '20',
  FINALITY_DEPTH: '8',
  SPONSORED_APPROVAL_MAX: '0.001',
}

beforeAll(() => beginReport('operations'))

const operations: readonly Operation[] = [...ofDatabases, ...ofSurroundings, ...ofLoads]

test.each(operations.map((operation) => [operation.id, operation.what, operation] as const))(
  'two instances under traffic lose nothing and pay nothing twice with %s, %s',
  async (_id, _what, operation) => {
    const { close, ...place } = await openDeployment(PACE, operation.tier)
    const { setup } = place
    let prepared: Prepared | undefined
    try {
      prepared = await operation.prepare(setup)
      const services = [await setup.start(prepared.variables?.(0), AWAITED), await setup.start(prepared.variables?.(1), AWAITED)]
      const payments = operation.approving ? approvingPayments(setup) : evmPayments(setup)
      const payers = await payments.newPayers(SECONDS * SETTLES_A_SECOND)
      const ends = performance.now() + SECONDS * 1_000
      const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
      const deployment: Deployment = { ...place, services, sleep, lasts: () => performance.now() < ends }
      const travelling = travel(payments, { running: services }, payers)
      await prepared.happen(deployment)
      const outcome = await travelling
      const counts = await setup.audit()
      const offences = Object.values(counts).reduce((sum, count) => sum + count, 0)
      const others = (await prepared.offences?.(deployment, outcome)) ?? []
      await report(operation.tier === 'flash' ? 'flash' : 'standard', operation, outcome, offences + others.length)
      expect(counts).toEqual(NO_OFFENCE)
      expect(others).toEqual([])
      expect(outcome.unknown).toEqual([])
      const statuses = [...outcome.statuses.keys()].map((status) => Number(status.split(' ')[1]))
      expect(statuses.filter((status) => !(operation.allowed ?? ALLOWED).includes(status))).toEqual([])
    } finally {
      await close()
      await prepared?.close?.()
    }
  },
  TIMEOUT_MS,
)
