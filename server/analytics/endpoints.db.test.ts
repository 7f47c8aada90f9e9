import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { EURC, MUSD, settleTooInTest } from '../../test/support/payloads/tokens'
import { newOwner, newRow, readersOf, startReading, tenantOf } from '../../test/support/service/history'
import { until } from '../../test/support/until'
import { DAY_MS } from '../base/durations'
import { createLog } from '../base/log'
import { startRollups } from '../sums/rollups'

const harness = fixture(startReading)
let readers: ReturnType<typeof readersOf>
beforeAll(() => {
  readers = readersOf(harness.app)
})

/** The UTC midnight so many days ago. */
const midnight = (daysAgo: number) => new Date((Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS)
const dateOf = (at: Date) => at.toISOString().slice(0, 10)
const PAYER = '0x1111111111111111111111111111111111111111'

async function ownerWith(...rows: Partial<ReturnType<typeof newRow>>[]): Promise<{ ownerId: string; tenantId: string }> {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  await harness.app.db.history.createMany({ data: rows.map((row) => newRow({ ownerId, tenantId, ...row })) })
  return { ownerId, tenantId }
}

describe('GET /api/me/analytics', () => {
  test('has every field, of completed days only', async () => {
    const { ownerId } = await ownerWith(
      { createdAt: midnight(1), payer: PAYER, amount: '1500000' },
      { createdAt: new Date(midnight(0).getTime() - 1), payer: PAYER, network: 'eip155:84532', amount: '500000' },
      { createdAt: midnight(7), payer: '', success: false, errorReason: 'insufficient_funds', amount: '9' },
      { createdAt: new Date(midnight(7).getTime() - 1), payer: PAYER, amount: '7' },
      { createdAt: midnight(0), payer: PAYER },
    )
    const [shop, payTo] = ['https://merchant.test/weather', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C']
    const { status, body } = await readers.merchantAnalytics(ownerId, '?days=7')
    expect(status).toBe(200)
    expect(body).toEqual({
      summary: {
        total_settlements: 3,
        successful_settlements: 2,
        failed_settlements: 1,
        success_rate: 2 / 3,
        total_volume_atomic: '2000000',
        unique_payers: 1,
        prev_total_settlements: 1,
        prev_success_rate: 1,
        prev_total_volume_atomic: '7',
        prev_unique_payers: 1,
      },
      asset: 'USDC',
      decimals: 6,
      volumes: [{ asset: 'USDC', decimals: 6, volume_atomic: '2000000' }],
      timeseries: [
        { date: dateOf(midnight(7)), success_count: 0, failed_count: 1, total_volume_atomic: '0' },
        { date: dateOf(midnight(1)), success_count: 2, failed_count: 0, total_volume_atomic: '2000000' },
      ],
      top_resources: [
        {
          resource: shop,
          pay_to: payTo,
          network: 'eip155:8453',
          settlement_count: 2,
          success_count: 1,
          total_volume_atomic: '1500000',
        },
        {
          resource: shop,
          pay_to: payTo,
          network: 'eip155:84532',
          settlement_count: 1,
          success_count: 1,
          total_volume_atomic: '500000',
        },
      ],
      errors: [{ error_reason: 'insufficient_funds', count: 1 }],
      networks: [
        { network: 'eip155:8453', count: 2, total_volume_atomic: '1500000' },
        { network: 'eip155:84532', count: 1, total_volume_atomic: '500000' },
      ],
      period: { start_date: dateOf(midnight(7)), end_date: dateOf(midnight(0)), days: 7, timezone: 'UTC' },
    })
    const { body: one } = await readers.merchantAnalytics(ownerId, '?days=7&network=eip155:84532')
    expect(one).toMatchObject({ summary: { total_settlements: 1, total_volume_atomic: '500000' }, errors: [] })
  })

  const volumeOf = ({ body }: { body: unknown }) =>
    Reflect.get(Object(Reflect.get(Object(body), 'summary')), 'total_volume_atomic')
  const LIVE = 'eip155:8453' as const

  test('is of real money or of test money, and of real money alone where the service settles it', async () => {
    const { ownerId } = await ownerWith(
      { createdAt: midnight(1), amount: '1500000' },
      { createdAt: midnight(1), network: 'eip155:84532', amount: '500000' },
    )
    // Nothing is settled here: that the network is configured is all that counts.
    const networks = new Map([[LIVE, Object()]])
    const asked = ['', '?environment=live', '?environment=test', '?network=eip155:84532', `?environment=live&network=${LIVE}`]
    const volumesBy = async ({ merchantAnalytics }: typeof readers) => {
      return Promise.all(asked.map(async (query) => volumeOf(await merchantAnalytics(ownerId, query))))
    }
    expect(await volumesBy(readers)).toEqual(['2000000', '1500000', '500000', '500000', '1500000'])
    const live = readersOf({ ...harness.app, networks })
    expect(await volumesBy(live)).toEqual(['1500000', '1500000', '500000', '500000', '1500000'])
    expect(volumeOf(await live.adminAnalytics(`?owner_id=${ownerId}`))).toBe('1500000')
  })

  test('without settlements is empty, with a rate of 0 and no previous period, over thirty days', async () => {
    const { body } = await readers.merchantAnalytics(newOwner())
    expect(body).toEqual({
      summary: {
        total_settlements: 0,
        successful_settlements: 0,
        failed_settlements: 0,
        success_rate: 0,
        total_volume_atomic: '0',
        unique_payers: 0,
        prev_total_settlements: null,
        prev_success_rate: null,
        prev_total_volume_atomic: null,
        prev_unique_payers: null,
      },
      asset: 'USDC',
      decimals: 6,
      volumes: [],
      timeseries: [],
      top_resources: [],
      errors: [],
      networks: [],
      period: { start_date: dateOf(midnight(30)), end_date: dateOf(midnight(0)), days: 30, timezone: 'UTC' },
    })
  })

  test('never adds tokens: counts are of all, volumes of USDC or of the one asked for, beside the volume of each', async () => {
    settleTooInTest([EURC, MUSD])
    const { ownerId } = await ownerWith(
      { createdAt: midnight(1), payer: PAYER, amount: '1500000' },
      { createdAt: midnight(1), payer: `0x${'2'.repeat(40)}`, amount: '700', symbol: 'EURC' },
      { createdAt: midnight(2), payer: PAYER, success: false, errorReason: 'unknown', amount: '9', symbol: 'EURC' },
    )
    const read = async (query: string) => Object((await readers.merchantAnalytics(ownerId, query)).body)
    const volumes = [
      { asset: 'USDC', decimals: 6, volume_atomic: '1500000' },
      { asset: 'EURC', decimals: 6, volume_atomic: '700' },
    ]
    expect(await read('')).toMatchObject({
      summary: { total_settlements: 3, successful_settlements: 2, total_volume_atomic: '1500000', unique_payers: 2 },
      asset: 'USDC',
      volumes,
      networks: [{ count: 3, total_volume_atomic: '1500000' }],
    })
    expect(await read('?asset=EURC')).toMatchObject({
      summary: { total_settlements: 2, failed_settlements: 1, total_volume_atomic: '700', unique_payers: 2 },
      asset: 'EURC',
      volumes: volumes.slice(1),
      networks: [{ count: 2, total_volume_atomic: '700' }],
      top_resources: [{ settlement_count: 2, success_count: 1, total_volume_atomic: '700' }],
    })
    expect(await read('?asset=mUSD')).toMatchObject({ summary: { total_settlements: 0 }, asset: 'mUSD', volumes: [] })
    expect((await readers.merchantAnalytics(ownerId, '?asset=a%20b')).status).toBe(400)
  })

  test('refuses a token that no network settles', async () => {
    const { ownerId } = await ownerWith({ createdAt: midnight(1) })
    const names = Array.from({ length: 100 }, (_, at) => `TOKEN${at}`)
    const told = await Promise.all(names.map((name) => readers.merchantAnalytics(ownerId, `?asset=${name}`)))
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([400]))
    expect(told[0]?.body).toEqual({ error: expect.stringMatching(/^asset must be .*a network settles: one of USDC/) })
  })

  test("excludes a key while its history is off, and other owners' keys", async () => {
    const { ownerId, tenantId } = await ownerWith({ createdAt: midnight(2) }, { createdAt: midnight(3) })
    await ownerWith({ createdAt: midnight(2) })
    const total = async () => {
      const { body } = await readers.merchantAnalytics(ownerId)
      return Reflect.get(Object(Reflect.get(Object(body), 'summary')), 'total_settlements')
    }
    const seen = [await total()]
    for (const history_enabled of [false, true]) {
      await readers.changeOwn(ownerId, tenantId, { history_enabled })
      seen.push(await total())
    }
    expect(seen).toEqual([2, 0, 2])
  })

  test.each([
    ['days=1', 'days must be 7, 30 or 90'],
    ['days=', 'days must be 7, 30 or 90'],
    ['days=030', 'days must be 7, 30 or 90'],
    ['environment=mainnet', 'environment must be live or test'],
    ['environment=test&network=eip155:8453', 'network must be one of the environment test'],
    ['network=base', /^network must be one of eip155:8453, /],
  ])('400 for %s', async (query, error) => {
    for (const { status, body } of [
      await readers.merchantAnalytics('x', `?${query}`),
      await readers.adminAnalytics(`?${query}`),
    ]) {
      expect([status, body]).toEqual([400, { error: typeof error === 'string' ? error : expect.stringMatching(error) }])
    }
  })
})

describe('GET /admin/analytics', () => {
  test("is for all tenants, an owner's or one tenant's", async () => {
    const { ownerId, tenantId } = await ownerWith({ createdAt: midnight(1) }, { createdAt: midnight(1) })
    const sibling = await tenantOf(harness.app.db, ownerId)
    await harness.app.db.history.create({ data: newRow({ ownerId, tenantId: sibling, createdAt: midnight(1) }) })
    const total = async (query: string) => {
      const { status, body } = await readers.adminAnalytics(query)
      expect(status).toBe(200)
      return Number(Reflect.get(Object(Reflect.get(Object(body), 'summary')), 'total_settlements'))
    }
    expect([await total(`?owner_id=${ownerId}`), await total(`?tenant_id=${tenantId}&payer=ignored`)]).toEqual([3, 2])
    expect([await total(`?owner_id=${ownerId}&tenant_id=${sibling}`), await total(`?owner_id=x&tenant_id=${sibling}`)]).toEqual([
      1, 0,
    ])
    expect(await total('')).toBe(
      await harness.app.db.history.count({ where: { createdAt: { gte: midnight(30), lt: midnight(0) } } }),
    )
  })

  test('of a wallet are found in any letter case', async () => {
    const ownerId = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    const tenantId = await tenantOf(harness.app.db, ownerId, 'wallet')
    await harness.app.db.history.create({ data: newRow({ ownerId, ownerKind: 'wallet', tenantId, createdAt: midnight(1) }) })
    for (const owner of [ownerId, '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']) {
      const { body } = await readers.adminAnalytics(`?owner_id=${owner}`)
      expect([owner, body]).toMatchObject([owner, { summary: { total_settlements: 1 } }])
    }
  })

  test('401 without the admin key, 400 for no UUID', async () => {
    expect((await readers.adminAnalytics('', 'Bearer x')).status).toBe(401)
    expect((await readers.adminAnalytics('?tenant_id=x')).body).toEqual({ error: 'tenant_id must be a UUID' })
    const long = await readers.adminAnalytics(`?owner_id=${'o'.repeat(4_000)}`)
    expect(long).toMatchObject({ status: 400, body: { error: 'owner_id must have 1 to 200 characters' } })
    expect((await readers.adminAnalytics('?owner_id=')).status).toBe(400)
  })
})

test('a running service rolls up completed days', async () => {
  const { tenantId } = await ownerWith(...Array.from({ length: 40 }, () => ({ createdAt: midnight(1) })))
  const loop = startRollups({ db: harness.app.db, log: harness.app.log, everyMs: 20 })
  await until(
    async () => (await harness.app.db.rollupDay.count({ where: { tenantId, state: 'rolled' } })) === 1,
    'the rollup of the day',
  )
  await loop.stop()
  expect(await harness.app.db.rollupFact.count({ where: { tenantId } })).toBe(1)
})

test('a day whose rollup fails does not delay other days', async () => {
  const { db } = harness.app
  const [stuck, fine] = [await ownerWith({ createdAt: midnight(1) }), await ownerWith({ createdAt: midnight(2) })]
  await db.$executeRawUnsafe(
    `ALTER TABLE "RollupFact" ADD CONSTRAINT "stuck" CHECK ("tenantId" <> '${stuck.tenantId}') NOT VALID`,
  )
  onTestFinished(() => db.$executeRaw`ALTER TABLE "RollupFact" DROP CONSTRAINT "stuck"`.then(() => {}))
  await db.rollupDay.createMany({
    data: [
      { tenantId: stuck.tenantId, day: midnight(1), state: 'dirty' },
      { tenantId: fine.tenantId, day: midnight(2), state: 'dirty' },
    ],
    skipDuplicates: true,
  })
  const loop = startRollups({ db, log: createLog('silent'), everyMs: 20 })
  await until(
    async () => (await db.rollupDay.count({ where: { tenantId: fine.tenantId, state: 'rolled' } })) === 1,
    'the rollup of the other day',
  )
  await loop.stop()
  expect(await db.rollupDay.count({ where: { tenantId: stuck.tenantId, state: 'dirty' } })).toBe(1)
})
