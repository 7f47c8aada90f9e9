import { beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { includeOne, newBroadcast, newLanding } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { DAY_MS } from '../base/durations'
import { sql } from '../db/sql'
import { createCoalesce, createRecent } from '../sums/coalesce'
import { newestQuery, sumNewest } from '../sums/sum-queries'
import { networksIn } from '../x402/networks/networks'
import { testPayment } from '../x402/test-payment'
import { adminScope, type Narrowing } from './analytics'
import { environmentOfPrincipal } from './environment'
import { figures, overview } from './figures'
import { readReached } from './queries'

const database = fixture(freshDatabase)

let ownerId: string
let tenantId: string
beforeEach(async () => {
  ownerId = newOwner()
  tenantId = await tenantOf(database.db, ownerId)
})

const own = () => ({ owner: { kinds: ['oidc'], id: ownerId } })
const row = (fields: Partial<ReturnType<typeof newRow>> = {}) => newRow({ ownerId, tenantId, ...fields })
const write = (...rows: ReturnType<typeof newRow>[]) => database.db.history.createMany({ data: rows })

/** The first millisecond of the database's day (UTC). */
async function midnight(): Promise<number> {
  const [found] = await database.db.$queryRaw<{ day: string }[]>`SELECT ((now() AT TIME ZONE 'UTC')::date)::text AS "day"`
  return Date.parse(found?.day ?? '')
}

const parts = () => {
  const { db } = database
  return { db, sums: db, coalesce: createCoalesce(), counting: createCoalesce(), recent: createRecent() }
}

/** Today's figures, which are the last day of a period. */
async function today(filter: Parameters<typeof adminScope>[0], within: Narrowing) {
  const { days, more } = await figures(parts(), adminScope(filter, 'test'), { range: { days: 7 }, zone: 'UTC', within })
  const { day, settled, failed, volume } = days.at(-1) ?? { day: '', settled: 0, failed: 0, volume: '' }
  return { day, settled, failed, volume, more }
}

describe('today so far', () => {
  test('counts settlements and failures since midnight (UTC), and nothing earlier', async () => {
    const begin = await midnight()
    await write(
      row({ createdAt: new Date(begin), amount: '1' }),
      row({ amount: '20000000000000000000000' }),
      row({ amount: '7', success: false, errorReason: 'insufficient_funds' }),
      row({ createdAt: new Date(begin - 1), amount: '300' }),
      row({ createdAt: new Date(begin - DAY_MS), amount: '4000', success: false }),
    )
    expect(await today(own(), 'mainnet')).toEqual({
      day: new Date(begin).toISOString().slice(0, 10),
      settled: 2,
      failed: 1,
      volume: '20000000000000000000001',
      more: false,
    })
  })

  test('separates mainnets from testnets, and each network', async () => {
    await write(
      row({ network: 'eip155:8453', amount: '1' }),
      row({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', amount: '10' }),
      row({ network: 'eip155:84532', amount: '100' }),
    )
    const volume = async (within: Narrowing, filter: Parameters<typeof today>[0] = own()) => (await today(filter, within)).volume
    expect([await volume('mainnet'), await volume('testnet'), await volume('eip155:8453')]).toEqual(['11', '100', '1'])
    expect([await volume('mainnet', { tenantId }), await volume('testnet', { tenantId })]).toEqual(['11', '100'])
  })

  test("excludes other owners' rows, and those of a key whose history is off", async () => {
    const discreet = await tenantOf(database.db, ownerId, 'oidc', { historyEnabled: false })
    const stranger = newOwner()
    await write(
      row(),
      row({ tenantId: discreet }),
      row({ ownerId: stranger, tenantId: await tenantOf(database.db, stranger) }),
      row({ ownerKind: 'wallet', tenantId: await tenantOf(database.db, ownerId, 'wallet') }),
    )
    expect(await today(own(), 'mainnet')).toMatchObject({ settled: 1 })
  })

  test('has the settle time of a success, and that of an earlier version from its settlement', async () => {
    const { db } = database
    const sent = await newBroadcast(db, { tenantId })
    await db.$executeRaw`UPDATE "Settlement" SET "createdAt" = "createdAt" - interval '3 seconds' WHERE "id" = ${sent.settlementId}::uuid`
    expect(await includeOne(db, sent, newLanding(sent.hash))).toBe(true)
    const stored = await db.history.findUniqueOrThrow({ where: { settlementId: sent.settlementId } })
    const isNear = (ms: number | null | undefined) => typeof ms === 'number' && ms > 2_600 && ms < 8_000
    expect([stored.settleMs, isNear(stored.settleMs)]).toEqual([stored.settleMs, true])
    const median = async () => {
      const asked = { range: { days: 7 }, zone: 'UTC', within: 'testnet' } as const
      const { total } = await figures(parts(), adminScope({ tenantId }, 'test'), asked)
      return [total.settled, isNear(total.p50)]
    }
    expect(await median()).toEqual([1, true])
    await db.history.update({ where: { id: stored.id }, data: { settleMs: null } })
    expect(await median()).toEqual([1, true])
    await write(row({ network: 'eip155:84532', settleMs: null }))
    expect(await median()).toEqual([2, true])
  })

  async function asked(filter: Parameters<typeof today>[0]) {
    const begin = await midnight()
    const windows = [{ from: begin, until: begin + DAY_MS }]
    return { filter, networks: networksIn('mainnet'), windows, since: begin }
  }

  test('says that there are more rows than it counts', async () => {
    await write(...Array.from({ length: 5 }, () => row()))
    const counted = async (most: number) => {
      const { sums, more } = await sumNewest(database.db, await asked(own()), { all: ['symbol'] }, most)
      return { settled: sums.all[0]?.count, more }
    }
    expect(await counted(5)).toEqual({ settled: 5, more: false })
    expect(await counted(4)).toEqual({ settled: 5, more: true })
    expect((await counted(2)).settled).toBeLessThan(5)
  })

  test('reads no row of an earlier day, and no more rows than it counts', async () => {
    const begin = await midnight()
    await write(...Array.from({ length: 3_000 }, (_, at) => row({ createdAt: new Date(begin - 1 - at) })))
    await write(...Array.from({ length: 300 }, () => row()))
    await database.db.$executeRaw`ANALYZE "History"`
    for (const filter of [own(), { tenantId }, {}]) {
      const plan = await database.db.queryUnprepared<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        sql`EXPLAIN (ANALYZE, FORMAT JSON) ${newestQuery(await asked(filter), { all: ['network', 'bin'] }, 100)}`,
      )
      const looked = plan.map((one) => lookedAt(one['QUERY PLAN'][0].Plan))
      expect([filter, Math.max(...looked) <= 101]).toEqual([filter, true])
    }
  })

  type Node = { 'Actual Rows': number; 'Rows Removed by Filter'?: number; 'Relation Name'?: string; Plans?: Node[] }

  function lookedAt(node: Node): number {
    const own = node['Relation Name'] === 'History' ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0
    return (node.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), own)
  }
})

describe('an overview', () => {
  const wanted = { tenants: true, payersByDay: true }
  const summedUp = async (app: ReturnType<typeof parts>, filter: Parameters<typeof adminScope>[0] = own()) => {
    const asked = { range: { days: 7 }, zone: 'UTC', within: 'mainnet' } as const
    const { figures: shown, lists, topPayers, dailyPayers } = await overview(app, adminScope(filter, 'test'), asked, wanted)
    const sum = (of: readonly { count: number }[]) => of.reduce((total, { count }) => total + count, 0)
    return {
      settled: shown.total.settled,
      payers: lists.payers,
      ofResources: sum(lists.resources),
      ofTenants: sum(lists.tenants),
      ofPayers: sum(topPayers.payers),
      payersToday: dailyPayers?.days.at(-1)?.payers,
    }
  }
  const all = (count: number, payers = count) => ({
    settled: count,
    payers,
    ofResources: count,
    ofTenants: count,
    ofPayers: count,
    payersToday: payers,
  })

  test('names the payer and the resource of the first payment as soon as it counts the payment', async () => {
    const app = parts()
    expect(await summedUp(app)).toEqual(all(0))
    await write(row({ payer: 'first' }))
    expect(await summedUp(app)).toEqual(all(1))
  })

  test('is of one moment while payments arrive', async () => {
    const app = parts()
    let written = 0
    const { tenantId: key, ownerId: owner } = row()
    const writing = (async () => {
      for (; written < 150; written++) await write(newRow({ tenantId: key, ownerId: owner, payer: `payer-${written % 20}` }))
    })()
    const seen: number[] = []
    try {
      while (written < 150) {
        const one = await summedUp(app)
        expect(one).toEqual(all(one.settled, Math.min(one.settled, 20)))
        seen.push(one.settled)
      }
    } finally {
      await writing
    }
    expect(new Set(seen).size).toBeGreaterThan(1)
  })

  const asked = { range: { days: 7 }, zone: 'UTC', within: 'mainnet' } as const
  const shown = () => overview(parts(), adminScope(own(), 'test'), asked, wanted)

  test('of few payments has each of them, newest first, until there are ten', async () => {
    const begin = await midnight()
    await write(
      row({ createdAt: new Date(begin - 2), amount: '5000', payer: 'first' }),
      row({ createdAt: new Date(begin - 1), success: false, errorReason: 'insufficient_funds' }),
      row({ createdAt: new Date(begin - 30 * DAY_MS) }),
    )
    const { figures: few, newest } = await shown()
    expect([few.few, newest?.map(({ success, reasonTitle }) => [success, reasonTitle])]).toEqual([
      true,
      [
        [false, 'Insufficient funds'],
        [true, null],
      ],
    ])
    expect(newest?.[1]).toMatchObject({ amount: '5000', decimals: 6, symbol: 'USDC', payer: 'first' })
    await write(...Array.from({ length: 8 }, () => row()))
    const { figures: many, newest: none } = await shown()
    expect([many.few, none]).toEqual([false, null])
  })

  test('of an empty period says when the newest payment was that its merchant can see', async () => {
    expect(await shown()).toMatchObject({ latest: null })
    const discreet = await tenantOf(database.db, ownerId, 'oidc', { historyEnabled: false })
    const at = new Date((await midnight()) - 40 * DAY_MS)
    await write(
      row({ createdAt: at }),
      row({ createdAt: new Date(at.getTime() + DAY_MS), tenantId: discreet }),
      row({ createdAt: new Date(at.getTime() + 2 * DAY_MS), network: 'eip155:84532' }),
    )
    expect(await shown()).toMatchObject({ latest: at.toISOString(), newest: null })
    await write(row())
    expect(await shown()).toMatchObject({ latest: null })
  })

  test('has a resource once for all of its networks, with the course of its volume', async () => {
    const [begin, resource] = [await midnight(), 'https://shop.test/report']
    await write(
      row({ resource, amount: '100', createdAt: new Date(begin - 3 * DAY_MS) }),
      row({ resource, amount: '50', createdAt: new Date(begin), network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
      row({ resource, amount: '60', createdAt: new Date(begin - 8 * DAY_MS), payTo: 'another' }),
    )
    const { lists } = await shown()
    expect(lists.resources.map(({ networks, ...rest }) => ({ ...rest, networks: networks.length }))).toEqual([
      {
        resource,
        networks: 2,
        count: 2,
        good: 2,
        volume: '150',
        before: { count: 1, good: 1, volume: '60' },
        course: [0, 0, 0, 100, 0, 0, 50],
      },
    ])
  })

  test('keeps the lists of days that did not change', async () => {
    const app = parts()
    await write(row())
    expect(await summedUp(app)).toEqual(all(1))
    // A change without a mark shows that they were kept.
    await database.db.$executeRaw`ALTER TABLE "History" DISABLE TRIGGER USER`
    await write(row({ createdAt: new Date((await midnight()) - 1) }))
    await database.db.$executeRaw`ALTER TABLE "History" ENABLE TRIGGER USER`
    expect(await summedUp(app)).toEqual(all(1))
  })
})

test('the first steps of an owner: a payment, a settled one, and one that its own server took', async () => {
  const reached = () => readReached(database.db, own().owner)
  const paid = { network: 'eip155:84532', resource: testPayment.resource.url }
  expect(await reached()).toEqual({ paid: false, settled: false, served: false })
  await write(row({ ...paid, success: false, errorReason: 'insufficient_funds' }))
  expect(await reached()).toEqual({ paid: true, settled: false, served: false })
  await write(row(paid))
  expect(await reached()).toEqual({ paid: true, settled: true, served: false })
  await write(row({ resource: 'https://merchant.test/weather' }), newRow({ ownerId: newOwner(), tenantId }))
  expect(await reached()).toEqual({ paid: true, settled: true, served: true })
})

describe('screens begin', () => {
  const merchant = () => ({ kind: 'merchant', id: ownerId, admin: false, name: '' }) as const
  const first = (principal: Parameters<typeof environmentOfPrincipal>[1]) =>
    environmentOfPrincipal({ db: database.db }, principal)

  test('with testnets for an owner with testnet settlements only, else with mainnets', async () => {
    expect(await first(merchant())).toBeNull()
    await write(row({ network: 'eip155:84532', createdAt: new Date((await midnight()) - 400 * DAY_MS) }))
    expect(await first(merchant())).toBe('testnet')
    await write(row({ network: 'eip155:8453' }))
    expect(await first(merchant())).toBe('mainnet')
  })

  test('with the networks on which a wallet paid, or its keys settled', async () => {
    const wallet = '0x3333333333333333333333333333333333333333'
    expect(await first({ kind: 'wallet', wallet })).toBeNull()
    await write(row({ network: 'eip155:84532', payer: wallet }))
    expect(await first({ kind: 'wallet', wallet })).toBe('testnet')
    await write(row({ ownerKind: 'wallet', ownerId: wallet, tenantId: await tenantOf(database.db, wallet, 'wallet') }))
    expect(await first({ kind: 'wallet', wallet })).toBe('mainnet')
  })
})
