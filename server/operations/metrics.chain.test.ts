import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepLog } from '../../test/support/log-lines'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { documented } from '../../test/support/service/documented'
import { ADMIN_KEY, type Harness, startHarness } from '../../test/support/service/harness'
import { type Kyt, startKyt } from '../../test/support/service/kyt'
import { type Answer, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import type { App } from '../app'
import { connect } from '../db/database'
import { getMetrics } from './endpoints'
import { createMetrics } from './telemetry/metrics'

let kyt: Kyt
let harness: Harness
const { log, lines } = keepLog()
beforeAll(async () => {
  kyt = await startKyt()
  harness = await startHarness({ log, production: true, env: { KYT_URL: kyt.url } })
})
afterAll(async () => {
  await harness.close()
  await kyt.close()
})

async function ask(app: App, authorization?: string): Promise<Answer & { body: string }> {
  const request = new Request('http://quittance.test/metrics', { headers: authorization ? { authorization } : {} })
  const response = await getMetrics.handle(app, request)
  const { status, headers } = response
  const body = await response.text()
  documented('GET /metrics', { status, headers, body: status === 200 ? undefined : JSON.parse(body) })
  return { status, headers, body }
}

const asAdmin = (app: App) => ask(app, `Bearer ${ADMIN_KEY}`)

/** The value of a line that has this name and all of these labels; null where there is none. */
function value(text: string, name: string, labels: Record<string, string> = {}): number | null {
  const wanted = Object.entries(labels).map(([label, is]) => `${label}="${is}"`)
  const line = text
    .split('\n')
    .find((one) => (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) && wanted.every((label) => one.includes(label)))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

describe('GET /metrics is for the administrator', () => {
  test.each([undefined, 'Bearer ', 'Bearer undefined', `Basic ${ADMIN_KEY}`, `Bearer ${ADMIN_KEY}x`])(
    'and 401 for "%s"',
    async (authorization) => {
      const { status, body } = await ask(harness.app, authorization)
      expect([status, JSON.parse(body)]).toEqual([401, { error: 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"' }])
    },
  )

  test('and 503 where there is no admin key', async () => {
    const app = { ...harness.app, config: { ...harness.app.config, adminKeyHash: null } }
    expect((await ask(app)).status).toBe(503)
  })

  test('and for all callers when METRICS_PUBLIC is set', async () => {
    const app = { ...harness.app, config: { ...harness.app.config, metricsPublic: true } }
    const { status, headers } = await ask(app)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ])
  })
})

describe('what was settled', () => {
  test('is counted by network, tier and outcome, timed by step, and named by no tenant, payer, key or URL', async () => {
    const merchant = await newMerchant(harness.app)
    const payer = await harness.payer()
    const good = await merchant.v1.settle(v2Body(await signed(payer)))
    const poor = await newClient(harness.app).settle(v2Body(await signed(await harness.payer(0n))))
    expect([good.status, poor.status]).toEqual([200, 200])
    const id = good.headers.get('x-settlement-id')
    // Counted when the statement that moved it returns, which may be a moment after its caller's response.
    await until(() => lines.some((line) => line.includes(`${id}`) && line.includes('"to":"FINAL"')), 'it to be final')

    // Figures are remembered for five seconds, and an earlier question may have come before the lanes were leased.
    const lanes = ['sandbox', 'production'].map((lane) => ({ network: 'eip155:84532', class: lane }))
    const areLeased = (text: string) => lanes.every((lane) => value(text, 'quittance_lane_leased', lane) === 1)
    await until(async () => areLeased((await asAdmin(harness.app)).body), 'both lanes to be leased')
    const { body } = await asAdmin(harness.app)
    const standard = { network: 'eip155:84532', tier: 'standard' }
    expect(value(body, 'quittance_settlements_total', { ...standard, outcome: 'succeeded' })).toBe(1)
    const sandbox = { network: 'eip155:84532', tier: 'sandbox' }
    const reason = 'invalid_exact_evm_insufficient_balance'
    expect(value(body, 'quittance_failed_judgements_total', { ...sandbox, reason })).toBe(1)
    const step = 'quittance_settlement_step_duration_seconds_count'
    expect(value(body, step, { ...standard, from: 'CLAIMED', to: 'PREPARED' })).toBe(1)
    expect(value(body, step, { ...standard, from: 'INCLUDED', to: 'FINAL' })).toBe(1)

    const rpc = { network: 'eip155:84532', use: 'payments', endpoint: '1', method: 'eth_sendRawTransaction' }
    expect(value(body, 'quittance_rpc_request_duration_seconds_count', rpc)).toBeGreaterThan(0)
    expect(value(body, 'quittance_kyt_request_duration_seconds_count', { class: 'production', outcome: 'clear' })).toBe(2)
    expect(value(body, 'quittance_queue_settlements', { network: 'eip155:84532' })).toBe(0)
    for (const kind of ['catalog', 'agents', 'webhooks'])
      expect([kind, value(body, 'quittance_outbox_lag_seconds', { kind })]).toEqual([kind, expect.any(Number)])
    expect(value(body, 'quittance_rollup_dirty_days')).toBe(0)
    expect(value(body, 'nodejs_eventloop_lag_seconds')).not.toBeNull()
    expect(value(body, 'quittance_build_info')).toBe(1)
    for (const labels of lanes) {
      expect(value(body, 'quittance_lane_unconfirmed_nonces', labels)).toBe(0)
      expect(value(body, 'quittance_sender_status', { ...labels, status: 'ready' })).toBe(1)
      expect(value(body, 'quittance_signer_balance_coins', labels)).toBeGreaterThan(9)
    }
    // Figures are remembered for five seconds.
    const gas = { network: 'eip155:84532', class: 'production' }
    const spent = async () => value((await asAdmin(harness.app)).body, 'quittance_gas_spent_today_coins', gas)
    await until(async () => ((await spent()) ?? 0) > 0, 'the gas of the day', 30_000)
    const secrets = [merchant.tenantId, merchant.key, payer.address, harness.chain.url, kyt.url, harness.database.url, ADMIN_KEY]
    for (const secret of secrets) expect(body.toLowerCase()).not.toContain(secret.toLowerCase())
  })

  test('is one line of the log for each step, with what came before it and for how long', async () => {
    const answer = await newClient(harness.app).settle(v2Body(await signed(await harness.payer())))
    const settlementId = answer.headers.get('x-settlement-id')
    const steps = () =>
      lines.flatMap((line) => {
        const entry = JSON.parse(line)
        return entry.msg === 'step' && entry.settlementId === settlementId ? [entry] : []
      })
    await until(() => steps().some(({ to }) => to === 'FINAL'), 'it to be final')
    expect(steps().map(({ from, to }) => [from, to])).toEqual([
      [null, 'CLAIMED'],
      ['CLAIMED', 'PREPARED'],
      ...(steps().length === 5 ? [['PREPARED', 'BROADCAST']] : []),
      [steps().length === 5 ? 'BROADCAST' : 'PREPARED', 'INCLUDED'],
      ['INCLUDED', 'FINAL'],
    ])
    for (const { level, network, tier, milliseconds } of steps())
      expect([level, network, tier, typeof milliseconds]).toEqual([30, 'eip155:84532', 'sandbox', 'number'])
  })
})

test('while the database is down the rest is exported, and no old values of the ledger', async () => {
  const gone = connect({ url: harness.database.url.replace(/\/[^/]*$/, '/there_is_none') })
  const own = createMetrics('1')
  own.readFrom({ ...harness.app, db: gone.db })
  const { text } = await own.text()
  expect(value(text, 'quittance_scrape_errors', { part: 'lanes' })).toBe(1)
  expect(value(text, 'quittance_lane_leased')).toBeNull()
  expect(value(text, 'quittance_rollup_dirty_days')).toBeNaN()
  expect(value(text, 'quittance_scrape_errors', { part: 'senders' })).toBe(0)
  expect(value(text, 'quittance_signer_balance_coins')).toBeGreaterThan(9)
  await gone.close()
})
