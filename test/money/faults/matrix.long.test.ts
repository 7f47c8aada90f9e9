import { beforeAll, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../support/service/process'
import { NO_OFFENCE } from '../audit'
import { type KillSetup, startKillSetup } from '../kill/kills'
import { startSvmKillSetup } from '../kill/svm'
import { approvingPayments, type ChainPayments, evmPayments, svmPayments } from './chain-payments'
import { approvalFaults, type Fault, faults, type Setup, solanaFaults } from './faults'
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
const PACE = { SETTLE_DEADLINE_MS: '6000', LEASE_MS: '3000', BATCH_MAX: '20', FINALITY_DEPTH: '8' }

beforeAll(() => beginReport())

describe('standard', () => {
  const open = async () => {
    const setup = await startKillSetup(PACE, 'sandbox')
    return { setup, payments: evmPayments(setup) }
  }
  tryEach('standard', faults, open)
})

describe('sponsored approvals', () => {
  const open = async () => {
    const setup = await startKillSetup({ ...PACE, SPONSORED_APPROVAL_MAX: '0.001' }, 'sandbox')
    return { setup, payments: approvingPayments(setup) }
  }
  tryEach('approvals', approvalFaults, open)
})

describe('flash', () => {
  const open = async () => {
    const setup = await startKillSetup(PACE, 'flash')
    return { setup, payments: evmPayments(setup) }
  }
  tryEach('flash', faults, open)
})

describe('solana', () => {
  const open = async () => {
    // The real cluster's pace.
    const pace = { slotMs: 400, finalizedSlots: 32, feePayers: 2 }
    const setup = await startSvmKillSetup({ ...pace, env: { SETTLE_DEADLINE_MS: '6000' } })
    return { setup, payments: await svmPayments(setup) }
  }
  tryEach('solana', solanaFaults, open)
})

type Place = Pick<KillSetup, 'start' | 'audit' | 'close'>

function tryEach<Some extends Place, Payer, Payment>(
  tier: string,
  all: readonly Fault<Some>[],
  open: () => Promise<{ setup: Some; payments: ChainPayments<Payer, Payment> }>,
): void {
  const here = all.filter((fault) => fault.tier === undefined || fault.tier === tier)
  test.each(here.map((fault) => [fault.what, fault] as const))(
    'two instances under traffic lose nothing and pay nothing twice while %s',
    async (_, fault) => {
      const { setup, payments } = await open()
      try {
        const start = () => setup.start(fault.variables?.(setup), AWAITED)
        const services = [await start(), await start()]
        const payers = await payments.newPayers(SECONDS * SETTLES_A_SECOND)
        const ends = performance.now() + SECONDS * 1_000
        const travelling = travel(payments, { running: services }, payers)
        await fault.happen(around(setup, services, start, () => performance.now() < ends))
        const outcome = await travelling
        const counts = await setup.audit()
        const offences = Object.values(counts).reduce((sum, count) => sum + count, 0)
        await report(tier, fault, outcome, offences)
        expect(counts).toEqual(NO_OFFENCE)
        expect(outcome.unknown).toEqual([])
        const statuses = [...outcome.statuses.keys()].map((status) => Number(status.split(' ')[1]))
        expect(statuses.filter((status) => !ALLOWED.includes(status))).toEqual([])
      } finally {
        await setup.close()
      }
    },
    TIMEOUT_MS,
  )
}

function around<Some>(
  setup: Some,
  services: ServiceProcess[],
  start: () => Promise<ServiceProcess>,
  lasts: () => boolean,
): Setup<Some> {
  return {
    setup,
    services,
    lasts,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async replace(at) {
      services[at] = await start()
    },
  }
}
