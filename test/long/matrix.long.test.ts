import { beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../audit'
import { type KillingGround, killingGround } from '../kills'
import type { ServiceProcess } from '../process'
import { faults, type Ground } from './faults'
import { beginReport, report } from './report'
import { newPayers, travel } from './traffic'

/** How long each fault lasts. */
const SECONDS = Number(process.env.FAULT_SECONDS ?? 60)
/** Time for both instances, the payers, the fault, what is left then, and the auditor. */
const TIMEOUT_MS = SECONDS * 1_000 * 4 + 300_000
/** What a client may be told while things go wrong: outcomes, conflicts, pending, shed. Never an error of ours. */
const ALLOWED = [200, 409, 502, 503]
/** A lane that has said anything: ready here, or somebody else's. */
const AWAITED = '"to":'

const tiers = { standard: 'sandbox', flash: 'flash' } as const

beforeAll(() => beginReport())

describe.each(Object.entries(tiers))(
  '%s: two instances under traffic lose nothing and pay nothing twice while',
  (tier, prefix) => {
    test.each(faults.map((fault) => [fault.what, fault] as const))(
      '%s',
      async (_, fault) => {
        const ground = await killingGround(
          { SETTLE_DEADLINE_MS: '6000', LEASE_MS: '3000', BATCH_MAX: '20', FINALITY_DEPTH: '8' },
          prefix,
        )
        try {
          const services = [await ground.start(), await ground.start({}, AWAITED)]
          const payers = await newPayers(ground, SECONDS)
          const ends = performance.now() + SECONDS * 1_000
          const travelling = travel(ground, { running: services }, payers)
          await fault.happen(around(ground, services, () => performance.now() < ends))
          const outcome = await travelling
          const counts = await ground.audit()
          const offences = Object.values(counts).reduce((sum, count) => sum + count, 0)
          await report(tier, fault, outcome, offences)
          expect(counts).toEqual(NO_OFFENCE)
          expect(outcome.unknown).toEqual([])
          const statuses = [...outcome.statuses.keys()].map((status) => Number(status.split(' ')[1]))
          expect(statuses.filter((status) => !ALLOWED.includes(status))).toEqual([])
        } finally {
          await ground.close()
        }
      },
      TIMEOUT_MS,
    )
  },
)

function around(ground: KillingGround, services: ServiceProcess[], lasts: () => boolean): Ground {
  return {
    ground,
    services,
    lasts,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async replace(at) {
      services[at] = await ground.start({}, AWAITED)
    },
  }
}
