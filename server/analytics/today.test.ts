import { beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/database'
import { fixture } from '../../test/fixture'
import { newOwner, newRow, tenantOf } from '../../test/history'
import { statementOf } from '../db/sql'
import { networksIn } from '../x402/networks'
import { defaultEnvironment, today } from './analytics'
import { createCoalesce } from './coalesce'
import { sumToday, todayQuery } from './queries'

const counting = createCoalesce()

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

const DAY_MS = 86_400_000
/** The first millisecond of the database's day (UTC). */
async function midnight(): Promise<number> {
  const [found] = await database.db.$queryRaw<{ day: string }[]>`SELECT ((now() AT TIME ZONE 'UTC')::date)::text AS "day"`
  return Date.parse(found?.day ?? '')
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
    expect(await today({ db: database.db, counting }, own(), 'mainnet')).toEqual({
      day: new Date(begin).toISOString().slice(0, 10),
      ...{ settled: 2, failed: 1, volume: '20000000000000000000001', more: false },
    })
  })

  test('separates mainnets from testnets, and each network', async () => {
    await write(
      row({ network: 'eip155:8453', amount: '1' }),
      row({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', amount: '10' }),
      row({ network: 'eip155:84532', amount: '100' }),
    )
    const volume = async (within: Parameters<typeof today>[2], filter: Parameters<typeof today>[1] = own()) =>
      (await today({ db: database.db, counting }, filter, within)).volume
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
    expect(await today({ db: database.db, counting }, own(), 'mainnet')).toMatchObject({ settled: 1 })
  })

  test('says that there are more rows than it counts', async () => {
    await write(...Array.from({ length: 5 }, () => row()))
    const counted = (most: number) => sumToday(database.db, own(), networksIn('mainnet'), most)
    expect(await counted(5)).toMatchObject({ settled: 5, more: false })
    expect(await counted(4)).toMatchObject({ settled: 5, more: true })
    expect((await counted(2)).settled).toBeLessThan(5)
  })

  test('reads no row of an earlier day, and no more rows than it counts', async () => {
    const begin = await midnight()
    await write(...Array.from({ length: 3_000 }, (_, at) => row({ createdAt: new Date(begin - 1 - at) })))
    await write(...Array.from({ length: 300 }, () => row()))
    await database.db.$executeRaw`ANALYZE "History"`
    for (const filter of [own(), { tenantId }, {}]) {
      const { text, values } = statementOf(todayQuery(filter, networksIn('mainnet'), 100))
      const plan = await database.db.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        ...values,
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

describe('figures begin', () => {
  test('with testnets for an owner with testnet settlements only, else with mainnets', async () => {
    const first = () =>
      Promise.all([defaultEnvironment({ db: database.db }, own()), defaultEnvironment({ db: database.db }, { tenantId })])
    expect(await first()).toEqual([null, null])
    await write(row({ network: 'eip155:84532', createdAt: new Date((await midnight()) - 400 * DAY_MS) }))
    expect(await first()).toEqual(['testnet', 'testnet'])
    await write(row({ network: 'eip155:8453' }))
    expect(await first()).toEqual(['mainnet', 'mainnet'])
  })
})
