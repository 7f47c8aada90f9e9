import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { asked, newOwner } from '../../test/support/service/history'
import { until } from '../../test/support/until'
import { getStatus } from '../operations/status/endpoints'
import { trpc } from './handler'

let harness: Harness
let admin: pg.Client
beforeAll(async () => {
  harness = await startHarness()
  admin = new pg.Client({ connectionString: harness.database.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await harness.close()
})

/** Does something while no statement can read a table. */
async function whileReadsHang<T>(table: string, work: () => Promise<T>): Promise<T> {
  await admin.query('BEGIN')
  await admin.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
  try {
    return await work()
  } finally {
    await admin.query('COMMIT')
  }
}

/** Waits until so many connections hang on a lock. */
const hanging = (count: number, what: string) =>
  until(async () => {
    // By another session: within a transaction the view stands still.
    const [row] = await harness.database.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`
    return (row?.count ?? 0) >= count
  }, what)

/** Calls of one session, each with another input, and the statuses of those that were answered already. */
function flood(count: number, call: (at: number) => Promise<{ status: number }>) {
  const answered: number[] = []
  const all = Array.from({ length: count }, async (_, at) => {
    const { status } = await call(at)
    answered.push(status)
    return status
  })
  const refused = () => answered.filter((status) => status === 429).length
  return { all: Promise.all(all), refused }
}

const sorted = (statuses: number[]) => [200, 429].map((status) => statuses.filter((one) => one === status).length)

const searching = (who: Parameters<typeof pagesOf>[1], reader: string) => (at: number) =>
  pagesOf(harness.app, who).query('settlements.list', { reader, search: `nothing ${at}` })

test('the searches of one session leave room for those of others, and all connections of payments', async () => {
  const payments = await Promise.all([1, 2, 3].map(async () => signed(await harness.payer())))
  const { all, other } = await whileReadsHang('History', async () => {
    const searches = flood(60, searching(merchant(newOwner()), 'merchant'))
    await until(async () => searches.refused() === 28, 'the searches beyond its share to be refused')
    await hanging(1, 'a search that hangs')
    const others = searching(merchant(newOwner()), 'merchant')(0)
    await hanging(2, 'the search of another')
    const answers = await Promise.all(payments.map((payment) => post(harness.app, 'verify', v2Body(payment))))
    expect(answers.map(({ status, body }) => [status, body.isValid])).toEqual(Array(3).fill([200, true]))
    return { all: searches.all, other: others }
  })
  expect(sorted(await all)).toEqual([32, 28])
  expect((await other).status).toBe(200)
})

test('wallets, which cost nothing, share the places of their IP address', async () => {
  const ips = { attacker: '2001:db8:ab:1::1', other: '2001:db8:ac:1::1' }
  const list = async (address: string, ip: string) => {
    const input = encodeURIComponent(JSON.stringify({ reader: 'payer', search: 'nothing' }))
    const headers = await pagesOf(harness.app, wallet(address)).headers()
    const app = { ...harness.app, rateLimit: async () => {}, callRate: () => 0 }
    return trpc.handle(app, asked(`/api/trpc/settlements.list?input=${input}`, { headers, ip }))
  }
  const addressOf = (at: number) => `0x${String(at).padStart(40, '0')}`
  const { all, other } = await whileReadsHang('History', async () => {
    const searches = flood(60, (at) => list(addressOf(at), ips.attacker))
    await until(async () => searches.refused() === 28, 'the searches beyond its share to be refused')
    const others = list(addressOf(100), ips.other)
    await hanging(2, 'the search of another')
    return { all: searches.all, other: others }
  })
  expect(sorted(await all)).toEqual([32, 28])
  expect((await other).status).toBe(200)
})

describe('the sums of one session', () => {
  const figuresOf = (who: string) => (at: number) =>
    pagesOf(harness.app, merchant(who)).query('merchant.figures', {
      within: 'testnet',
      from: '2026-01-01',
      to: `2026-02-${String((at % 28) + 1).padStart(2, '0')}`,
      zone: at < 28 ? 'UTC' : 'Europe/Berlin',
    })

  test('delay neither those of another nor the counts of the status page', async () => {
    const { all, other, status } = await whileReadsHang('RollupTime', async () => {
      const sums = flood(40, figuresOf(newOwner()))
      await until(async () => sums.refused() === 24, 'the sums beyond its share to be refused')
      await hanging(2, 'its sums that hang')
      const others = figuresOf(newOwner())(0)
      await hanging(3, 'the sum of another')
      const counts = getStatus.handle(harness.app, asked('/status.json'))
      await hanging(4, 'the counts of the status page')
      return { all: sums.all, other: others, status: counts }
    })
    expect(sorted(await all)).toEqual([16, 24])
    expect((await other).status).toBe(200)
    const answer = await status
    expect([answer.status, Object(await answer.json()).counted_at]).toEqual([200, expect.any(String)])
  })
})

test('a request costs as many calls as it makes', async () => {
  const counted: unknown[] = []
  const rateLimit = async (...one: unknown[]) => void counted.push(one)
  const batch = (calls: number) => {
    const paths = Array.from({ length: calls }, () => 'session.get').join(',')
    const app = { ...harness.app, rateLimit }
    return trpc.handle(app, asked(`/api/trpc/${paths}?batch=1&input=%7B%7D`, { ip: '10.0.0.9' }))
  }
  expect([(await batch(1)).status, (await batch(10)).status]).toEqual([200, 200])
  expect(counted).toEqual([1, 10].map((calls) => ['trpc:10.0.0.9', 200, calls]))
})
