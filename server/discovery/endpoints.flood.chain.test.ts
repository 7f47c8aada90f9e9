import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import type { Environment } from '../x402/networks/networks'
import { createCatalog } from './catalog'
import { searchResources } from './endpoints'

let harness: Harness
let admin: pg.Client
beforeAll(async () => {
  harness = await startHarness()
  admin = new pg.Client({ connectionString: harness.database.url })
  await admin.connect()
  await list(harness.app.db, newEntry())
})
afterAll(async () => {
  await admin.end()
  await harness.close()
})

/** Searches for words without a cached page. */
async function searchAnew(ip: string): Promise<Response> {
  const headers = { 'x-quittance-client-ip': ip, 'x-request-id': 'test' }
  const request = new Request(`http://quittance.test/discovery/search?query=${randomUUID()}`, { headers })
  return searchResources.handle(harness.app, request)
}

/** Does something while no statement can read the catalog's entries. */
async function whileReadsHang<T>(work: () => Promise<T>): Promise<T> {
  await admin.query('BEGIN')
  await admin.query('LOCK TABLE "Resource" IN ACCESS EXCLUSIVE MODE')
  try {
    return await work()
  } finally {
    await admin.query('COMMIT')
  }
}

/** Connections on which a read of the catalog hangs. */
async function hanging(): Promise<number> {
  // By another session: within a transaction the view stands still.
  const [row] = await harness.database.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`
  return row?.count ?? 0
}

const counts = (answers: Response[]) => (status: number) => answers.filter((answer) => answer.status === status).length

describe('a flood of random searches', () => {
  test('uses two connections and a bounded queue, and no connection of payments', async () => {
    const { flood, paid } = await whileReadsHang(async () => {
      const asked = Array.from({ length: 90 }, () => searchAnew(newClient(harness.app).ip))
      await until(async () => (await hanging()) >= 2, 'reads that hang')
      const payments = await Promise.all([1, 2, 3].map(async () => signed(await harness.payer())))
      const answers = await Promise.all(payments.map((payment) => post(harness.app, 'settle', v2Body(payment))))
      expect(await hanging()).toBe(2)
      return { flood: asked, paid: answers }
    })
    expect(paid.map(({ status, body }) => [status, body.success])).toEqual(Array(3).fill([200, true]))
    const answers = await Promise.all(flood)
    const count = counts(answers)
    expect([count(200), count(503)]).toEqual([66, 24])
    const refused = answers.find(({ status }) => status === 503)
    expect(refused?.headers.get('retry-after')).toBe('2')
    expect(await refused?.json()).toEqual({
      error: 'too many catalog requests are running; try again shortly',
    })
  })

  test('from one IP address leaves room in the queue for others', async () => {
    const { ip } = newClient(harness.app)
    const [flood, other] = await whileReadsHang(async () => {
      const asked = Array.from({ length: 40 }, () => searchAnew(ip))
      await until(async () => (await hanging()) >= 1, 'a read that hangs')
      const other = searchAnew(newClient(harness.app).ip)
      await until(async () => (await hanging()) >= 2, 'the read of another')
      return [asked, other] as const
    })
    const count = counts(await Promise.all(flood))
    expect([count(200), count(429)]).toEqual([8, 32])
    expect((await other).status).toBe(200)
  })
})

describe('a listing that changes all the time', () => {
  const reading = (flushEveryMs: number) => {
    const catalog = createCatalog(harness.app.db, { flushEveryMs })
    return {
      catalog,
      async total(environment: Environment): Promise<number> {
        const filter = { environment, network: null, payTo: null, x402Version: null }
        const { json } = await catalog.page({ filter, words: null, limit: 1, offset: 0 }, 'ip:10.0.0.1')
        return JSON.parse(json).pagination.total
      },
      async edit(environment: Environment) {
        await list(harness.app.db, newEntry({ environment }))
        catalog.changed(environment)
      },
    }
  }

  test('refreshes the pages of its environment once in some seconds, and no others', async () => {
    const { total, edit } = reading(60_000)
    const before = { testnet: await total('testnet'), mainnet: await total('mainnet') }
    await edit('testnet')
    expect(await total('testnet')).toBe(before.testnet + 1)
    for (let edits = 0; edits < 5; edits++) {
      await edit('testnet')
      expect(await total('testnet')).toBe(before.testnet + 1)
    }
    await list(harness.app.db, newEntry({ environment: 'mainnet' }))
    expect(await total('mainnet')).toBe(before.mainnet)
  })

  test('appears after that', async () => {
    const { total, edit } = reading(50)
    const before = await total('testnet')
    for (let edits = 0; edits < 3; edits++) {
      await edit('testnet')
      await total('testnet')
    }
    await until(async () => (await total('testnet')) === before + 3, 'the newest page')
  })
})
