import fc from 'fast-check'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { patience, tries } from '../../test/money/fuzz/runs'
import { freshDatabase } from '../../test/support/database/database'
import { freshEmbedded } from '../../test/support/database/embedded'
import { naiveAnalytics, type Stored } from '../../test/support/database/naive-analytics'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { newRow, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { DAY_MS } from '../base/durations'
import type { Db } from '../db/database'
import { pruneFailedJudgements } from '../ledger/statements/history'
import { createCoalesce, createRecent } from '../sums/coalesce'
import { dirtyDays, noteDay, rollDay } from '../sums/rollup-queries'
import { environmentOf, environments, isNetworkId, networkIds } from '../x402/networks/networks'
import {
  type AnalyticsDays,
  type AnalyticsScope,
  adminScope,
  analytics,
  analyticsDays,
  merchantScope,
  type Narrowing,
} from './analytics'

const coalesce = createCoalesce()
let recent = createRecent()

const database = fixture(freshDatabase)

const OWNERS = ['analytics-a', 'analytics-b']

let tenants: string[]

let today: number
/** The rows of tenants' days (`tenant day`) whose failed judgements were deleted: their sums stay as they were. */
const frozen = new Map<string, Stored[]>()
const dayKey = ({ tenantId, createdAt }: Stored) => `${tenantId} ${createdAt.toISOString().slice(0, 10)}`

/** A first start on a database with older rows: no day is registered. */
async function begin(on: Db): Promise<void> {
  await on.$executeRaw`TRUNCATE "History", "RollupDay", "RollupFact", "RollupTime", "RollupPayerBits", "RollupPayerList", "PayerNumber"`
  await on.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - 200`
  recent = createRecent()
  // The next payers are in two chunks.
  await on.$executeRaw`ALTER SEQUENCE "PayerNumber_no_seq" RESTART WITH 8180`
  frozen.clear()
  const [row] = await on.$queryRaw<{ today: string }[]>`SELECT ((now() AT TIME ZONE 'UTC')::date)::text AS "today"`
  today = Date.parse(row?.today ?? '')
}

beforeEach(async () => {
  await begin(database.db)
  tenants = []
  // Two keys of one owner, one of another owner, and one of a wallet with the same name.
  for (const [owner, kind] of [
    [0, 'oidc'],
    [0, 'oidc'],
    [1, 'oidc'],
    [0, 'wallet'],
  ] as const) {
    tenants.push(await tenantOf(database.db, OWNERS[owner] ?? '', kind))
  }
})

async function rollAll(on: Db, rowsPerPart = 10_000): Promise<void> {
  while (await noteDay(on));
  for (const day of await dirtyDays(on, 10_000)) await rollDay(on, day, rowsPerPart)
}

const scopes = (): [AnalyticsScope, (row: Stored) => boolean][] => [
  [adminScope({}, 'test'), () => true],
  [merchantScope(ofSubject(OWNERS[0] ?? ''), 'test'), ({ ownerKind, ownerId }) => ownerKind === 'oidc' && ownerId === OWNERS[0]],
  [merchantScope(ofSubject(OWNERS[1] ?? ''), 'test'), ({ ownerKind, ownerId }) => ownerKind === 'oidc' && ownerId === OWNERS[1]],
  [adminScope({ owner: { kinds: ['oidc', 'wallet'], id: OWNERS[0] ?? '' } }, 'test'), ({ ownerId }) => ownerId === OWNERS[0]],
  [adminScope({ tenantId: tenants[1] ?? '' }, 'test'), ({ tenantId }) => tenantId === tenants[1]],
]

const isWithin = ({ network }: Stored, within: Narrowing) =>
  isNetworkId(network) && (network === within || environmentOf(network) === within)

/** Compares the analytics and their cached repetition with the rows. */
async function compare(on: Db, days: AnalyticsDays, within: Narrowing | undefined, asset?: string): Promise<void> {
  const [stored, flags] = await Promise.all([on.history.findMany(), on.tenant.findMany({ where: { historyEnabled: true } })])
  const rows = [...stored.filter((row) => !frozen.has(dayKey(row))), ...[...frozen.values()].flat()]
  const counted = new Set(flags.map(({ id }) => id))
  for (const [scope, holds] of scopes()) {
    const mine = rows.filter((row) => holds(row) && counted.has(row.tenantId) && (within === undefined || isWithin(row, within)))
    const parts = { db: on, sums: on, coalesce, recent }
    const answers = [
      await analytics(parts, scope, days, { within, asset }),
      await analytics(parts, scope, days, { within, asset }),
    ]
    for (const answer of answers) expect(answer).toEqual(naiveAnalytics(mine, days, Date.parse(answer.period.end_date), asset))
  }
}

const EDGES = [0, 1, DAY_MS / 2, DAY_MS - 1]

const someRow = fc.record({
  tenant: fc.nat(3),
  // Around the edges of every window, and today, which does not count.
  daysAgo: fc.oneof(fc.constantFrom(0, 1, 7, 8, 14, 15, 30, 31, 60, 61, 90, 91, 180, 181), fc.nat(185)),
  edge: fc.constantFrom(...EDGES),
  payer: fc.oneof(
    fc.constantFrom('', 'payer-1', 'payer-2', 'payer-3'),
    fc.nat(99).map((n) => `payer-${n}`),
  ),
  network: fc.constantFrom(...networkIds),
  symbol: fc.constantFrom('USDC', 'USDC', 'EURC'),
  resource: fc.constantFrom(...Array.from({ length: 7 }, (_, at) => `https://shop.test/${at}`), 'https://shop.test/É', ''),
  payTo: fc.constantFrom('0x209693bc6afc0c5328ba36faf03c514ef312287c', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  amount: fc.bigInt({ min: 1n, max: 2n ** 200n }),
  errorReason: fc.constantFrom(null, null, null, 'insufficient_funds', 'unknown', ''),
  judged: fc.boolean(),
})

type SomeRow = typeof someRow extends fc.Arbitrary<infer T> ? T : never

type Act =
  | { rows: SomeRow[]; early: boolean }
  | { flip: number }
  | { remove: number }
  | { flag: number }
  | { roll: number }
  | { crowd: SomeRow; from: number; count: number }
  | { prune: number }
  | { look: AnalyticsDays; within: Narrowing | undefined; asset: string | undefined }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ rows: fc.array(someRow, { minLength: 1, maxLength: 40, size: 'max' }), early: fc.constant(false) }),
  },
  { weight: 2, arbitrary: fc.record({ flip: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ flag: fc.nat(3) }) },
  // So few rows that a day needs several parts, or so many that it has one.
  { weight: 2, arbitrary: fc.record({ roll: fc.constantFrom(3, 50, 10_000) }) },
  // So many payers that they are stored as a bitmap.
  { weight: 2, arbitrary: fc.record({ crowd: someRow, from: fc.nat(99), count: fc.integer({ min: 25, max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ prune: fc.constantFrom(2, 40, 90) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      look: fc.constantFrom(...analyticsDays),
      within: fc.constantFrom(undefined, ...environments, ...environments, ...networkIds),
      asset: fc.constantFrom(undefined, undefined, 'USDC', 'EURC'),
    }),
  },
)

function rowOf({ tenant, daysAgo, edge, errorReason, amount, judged, ...rest }: SomeRow) {
  const success = errorReason === null
  const owner = { ownerId: OWNERS[tenant === 2 ? 1 : 0] ?? '', ownerKind: tenant === 3 ? 'wallet' : 'oidc' }
  const createdAt = new Date(today - daysAgo * DAY_MS + edge)
  const outcome = {
    errorReason: errorReason === null ? null : errorReason || null,
    success,
    caller: judged && !success ? 'x' : null,
  }
  return newRow({ ...rest, ...outcome, ...owner, tenantId: tenants[tenant] ?? '', createdAt, amount: String(amount) })
}

/** Deletes old failed judgements, and remembers the days that lost some as they were. */
async function prune(on: Db, days: number): Promise<void> {
  const before = await on.history.findMany()
  await pruneFailedJudgements(on, 10_000, days)
  const left = new Set((await on.history.findMany({ select: { id: true } })).map(({ id }) => id))
  const lost = new Set(before.filter(({ id }) => !left.has(id)).map(dayKey))
  // A day may lose rows twice; its sums are from before the first time.
  for (const key of lost)
    if (!frozen.has(key))
      frozen.set(
        key,
        before.filter((row) => dayKey(row) === key),
      )
}

async function perform(on: Db, one: Act): Promise<void> {
  if ('rows' in one) await on.history.createMany({ data: one.rows.map(rowOf) })
  else if ('crowd' in one) {
    const crowd = Array.from({ length: one.count }, (_, n) => ({ ...one.crowd, payer: `payer-${one.from + n}` }))
    await on.history.createMany({ data: crowd.map(rowOf) })
  } else if ('prune' in one) await prune(on, one.prune)
  else if ('roll' in one) await rollAll(on, one.roll)
  else if ('look' in one) await compare(on, one.look, one.within, one.asset)
  else if ('flag' in one)
    await on.$executeRaw`UPDATE "Tenant" SET "historyEnabled" = NOT "historyEnabled" WHERE "id" = ${tenants[one.flag]}::uuid`
  else {
    const ids = (await on.history.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id)
    const id = ids[('flip' in one ? one.flip : one.remove) % Math.max(ids.length, 1)]
    if (id === undefined) return
    if ('remove' in one) await on.history.delete({ where: { id } })
    else await on.history.update({ where: { id }, data: { success: false, errorReason: 'settlement_reversed' } })
  }
}

test(
  'analytics equal the sums of the rows, after any rollup, late row, reversal or disabled key',
  async () => {
    const run = async (before: SomeRow[], acts: Act[]) => {
      await begin(database.db)
      await database.db.tenant.updateMany({ where: { id: { in: tenants } }, data: { historyEnabled: true } })
      // These rows are older than the marks on days.
      await database.db.$executeRaw`ALTER TABLE "History" DISABLE TRIGGER USER`
      await database.db.history.createMany({ data: before.map(rowOf) })
      await database.db.$executeRaw`ALTER TABLE "History" ENABLE TRIGGER USER`
      for (const one of acts) await perform(database.db, one)
      await rollAll(database.db)
      for (const days of analyticsDays)
        for (const within of [undefined, ...environments]) await compare(database.db, days, within)
    }
    const acts = fc.array(act, { minLength: 5, maxLength: 14, size: 'max' })
    await fc.assert(fc.asyncProperty(fc.array(someRow, { minLength: 1, maxLength: 60, size: 'max' }), acts, run), tries(3))
  },
  patience(48),
)

test('a day that changes during its rollup is correct afterwards, or read from its rows', async () => {
  const rows = Array.from({ length: 20 }, () =>
    newRow({ tenantId: tenants[0] ?? '', ownerId: OWNERS[0] ?? '', createdAt: new Date(today - 1) }),
  )
  await database.db.history.createMany({ data: rows })
  while (await noteDay(database.db));
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(() => client.end())
  for (const { id } of rows) {
    await client.query('BEGIN')
    await client.query(`UPDATE "History" SET "success" = false, "errorReason" = 'settlement_reversed' WHERE "id" = $1`, [id])
    const day = { tenantId: tenants[0] ?? '', day: new Date(today - 1).toISOString().slice(0, 10) }
    await Promise.all([rollDay(database.db, day), client.query('COMMIT')])
    await compare(database.db, 7, undefined)
  }
})

inLongRuns(() => {
  test('analytics work on the embedded database too', async () => {
    const on = await freshEmbedded()
    await begin(on)
    const known = tenants
    tenants = [await tenantOf(on, OWNERS[0] ?? ''), await tenantOf(on, OWNERS[0] ?? ''), await tenantOf(on, OWNERS[1] ?? '')]
    const crowd = fc.sample(someRow, 1).flatMap((row) => Array.from({ length: 50 }, (_, n) => ({ ...row, payer: `payer-${n}` })))
    const rows = [...fc.sample(someRow, 60), ...crowd].map((row) => rowOf({ ...row, tenant: row.tenant % 3 }))
    await on.history.createMany({ data: rows })
    await compare(on, 30, undefined)
    await rollAll(on)
    await on.history.update({ where: { id: rows[0]?.id ?? '' }, data: { success: false, errorReason: 'settlement_reversed' } })
    await compare(on, 90, undefined)
    await rollAll(on)
    await compare(on, 90, 'eip155:8453')
    tenants = known
  })
})
