import { expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { signed, v2Body } from '../../../test/support/payloads/payments'
import { startHarness } from '../../../test/support/service/harness'
import { asked, documentedAnswer } from '../../../test/support/service/history'
import { newClient, newMerchant } from '../../../test/support/service/surface'
import type { App } from '../../app'
import { createReadiness } from '../readiness'
import { createStatusCounts } from './counts'
import { getStatus } from './endpoints'
import type { Status } from './status'

const harness = fixture(() => startHarness({ production: true }))
const forgetful = () => ({ ...harness.app, statusCounts: createStatusCounts(harness.app.sums) })

async function statusOf(app: App): Promise<Status> {
  const { body } = await documentedAnswer('GET /status.json', getStatus.handle(app, asked('/status.json')))
  return body as Status
}

test('each tier is available while its signers are ready, and has its payments', async () => {
  const payer = await harness.payer()
  const merchant = await newMerchant(harness.app)
  await merchant.v1.settle(v2Body(await signed(payer)))
  await newClient(harness.app).settle(v2Body(await signed(payer)))
  await newClient(harness.app).settle(v2Body(await signed(await harness.payer(0n))))
  const { available, networks } = await statusOf(forgetful())
  const nothing = { count: 0, reasons: [] }
  const figures = (settled: number, payers: object) => ({
    settled,
    failed: { payer: payers, chain: nothing, facilitator: nothing },
  })
  expect([available, networks]).toMatchObject([
    true,
    [
      {
        network: 'eip155:84532',
        name: 'Base Sepolia',
        testnet: true,
        tiers: [
          { tier: 'standard', available: true, last_24_hours: figures(1, nothing) },
          {
            tier: 'sandbox',
            available: true,
            last_24_hours: figures(1, { count: 1, reasons: [{ reason: 'insufficient_funds', count: 1 }] }),
          },
        ],
      },
    ],
  ])
})

/** The service with a clock and sandbox signers that the test sets. */
function settable() {
  const set = { now: new Date('2026-11-24T05:00:00.000Z'), hasSigner: true }
  const engine = {
    ...harness.app.engine,
    async requireSubmitter({ laneClass }: { laneClass: string }) {
      if (!set.hasSigner && laneClass === 'sandbox') throw new Error('no signer')
    },
  }
  const app = { ...forgetful(), engine, now: () => set.now }
  return { set, app: { ...app, readiness: createReadiness({ ...app, migrations: [], rememberMs: 0 }) } }
}

test('a tier without a ready signer is not available, since this process first saw it so', async () => {
  const { set, app } = settable()
  const look = async (at: string) => {
    set.now = new Date(`2026-11-24T${at}.000Z`)
    const { networks } = await statusOf(app)
    return networks.flatMap(({ tiers }) =>
      tiers.map(({ tier, available, since }) => `${tier} ${available} ${since?.slice(11, 19)}`),
    )
  }
  expect(await look('05:00:00')).toEqual(['standard true 05:00:00', 'sandbox true 05:00:00'])
  set.hasSigner = false
  expect(await look('05:10:00')).toEqual(['standard true 05:00:00', 'sandbox false 05:10:00'])
  expect(await look('05:20:00')).toEqual(['standard true 05:00:00', 'sandbox false 05:10:00'])
  set.hasSigner = true
  expect(await look('05:30:00')).toEqual(['standard true 05:00:00', 'sandbox true 05:30:00'])
})
