import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { patience, tries } from '../../test/money/fuzz/runs'
import { freshDatabase } from '../../test/support/database/database'
import { freshEmbedded } from '../../test/support/database/embedded'
import type { Stored } from '../../test/support/database/naive-analytics'
import { naiveFigures } from '../../test/support/database/naive-figures'
import { fixture } from '../../test/support/fixture'
import { inLongRuns } from '../../test/support/long-run'
import { newRow, tenantOf } from '../../test/support/service/history'
import { ofSubject } from '../accounts/tenant-queries'
import { DAY_MS } from '../base/durations'
import type { Db } from '../db/database'
import { createCoalesce, createRecent } from '../sums/coalesce'
import type { Range } from '../sums/periods'
import { dirtyDays, noteDay, rollDay } from '../sums/rollup-queries'
import { type Environment, environmentOf, isNetworkId, networkIds } from '../x402/networks/networks'
import { reasonTitle } from '../x402/reasons/titles'
import { adminScope, merchantScope } from './analytics'
import { figures, overview } from './figures'

const database = fixture(freshDatabase)
const OWNERS = ['figures-a', 'figures-b']
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']

/** The parts of an App that figures use. Nothing is kept, because it may be half a minute old. */
const partsOf = (db: Db) => ({ db, sums: db, coalesce: createCoalesce(), counting: createCoalesce(), recent: createRecent() })

const EVERYTHING = { tenants: true, payersByDay: true }

let tenants: string[]

async function begin(on: Db): Promise<void> {
  await on.$executeRaw`TRUNCATE "History", "RollupDay", "RollupFact", "RollupTime", "RollupPayerBits", "RollupPayerList", "PayerNumber"`
  await on.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - 90`
  tenants = [await tenantOf(on, OWNERS[0] ?? ''), await tenantOf(on, OWNERS[0] ?? ''), await tenantOf(on, OWNERS[1] ?? '')]
}

beforeEach(() => begin(database.db))

const someRow = fc.record({
  tenant: fc.nat(2),
  // Many in the last days, where periods begin and end.
  daysAgo: fc.oneof(fc.nat(8), fc.nat(70)),
  quarter: fc.oneof(fc.constantFrom(0, 1, 23, 24, 95), fc.nat(95)),
  ms: fc.constantFrom(0, 1, 899_999),
  payer: fc.oneof(
    fc.constant(''),
    fc.nat(60).map((n) => `payer-${n}`),
  ),
  network: fc.constantFrom(...networkIds),
  symbol: fc.constantFrom('USDC', 'USDC', 'EURC'),
  resource: fc.constantFrom('https://shop.test/a', 'https://shop.test/b', ''),
  amount: fc.bigInt({ min: 1n, max: 2n ** 100n }),
  errorReason: fc.constantFrom(null, null, null, 'insufficient_funds', 'invalid_exact_evm_signature', ''),
  // Odd, so that none is at the edge of a bin.
  settleMs: fc.oneof(
    fc.nat(4_000).map((n) => 2 * n + 3),
    fc.constant(null),
  ),
})

/** A month that has begun in every zone: so many before that of two days ago. */
function monthAgo(ago: number): string {
  const at = new Date(Date.now() - 2 * DAY_MS)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - ago, 1)).toISOString().slice(0, 7)
}

type SomeRow = typeof someRow extends fc.Arbitrary<infer T> ? T : never

// Two dates at least: west of Greenwich the first one has begun then.
const someRange: fc.Arbitrary<Range> = fc.oneof(
  fc.constantFrom(1, 2, 7, 30).map((days) => ({ days })),
  fc.nat(2).map((ago) => ({ month: monthAgo(ago) })),
  fc.record({ ago: fc.nat(40), length: fc.integer({ min: 1, max: 20 }) }).map(({ ago, length }) => {
    const date = (at: number) => new Date(at).toISOString().slice(0, 10)
    return { from: date(Date.now() - (ago + length) * DAY_MS), to: date(Date.now() - ago * DAY_MS) }
  }),
)

const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ rows: fc.array(someRow, { minLength: 1, maxLength: 40, size: 'max' }) }) },
  { weight: 2, arbitrary: fc.record({ roll: fc.constantFrom(3, 10_000) }) },
  { weight: 1, arbitrary: fc.record({ flip: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ untimed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ flag: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({ look: someRange, zone: fc.constantFrom(...ZONES), asset: fc.constantFrom(undefined, 'USDC', 'EURC') }),
  },
)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

function rowOf({ tenant, daysAgo, quarter, ms, errorReason, settleMs, amount, ...rest }: SomeRow) {
  const success = errorReason === null
  const at = Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + quarter * 900_000 + ms
  return newRow({
    ...rest,
    success,
    errorReason: errorReason || null,
    settleMs,
    amount: String(amount),
    ownerId: OWNERS[tenant === 2 ? 1 : 0] ?? '',
    tenantId: tenants[tenant] ?? '',
    createdAt: new Date(Math.min(at, Date.now() - 1)),
  })
}

async function perform(on: Db, one: Act): Promise<void> {
  if ('rows' in one) await on.history.createMany({ data: one.rows.map(rowOf) })
  else if ('roll' in one) {
    while (await noteDay(on));
    for (const day of await dirtyDays(on, 10_000)) await rollDay(on, day, one.roll)
  } else if ('untimed' in one) {
    // As an earlier version left its days.
    await on.$executeRaw`UPDATE "RollupDay" SET "state" = 'untimed' WHERE "state" = 'rolled'`
    await on.$executeRaw`DELETE FROM "RollupTime" t USING "RollupDay" d WHERE d."tenantId" = t."tenantId" AND d."day" = t."day" AND d."state" = 'untimed'`
  } else if ('flag' in one) {
    await on.$executeRaw`UPDATE "Tenant" SET "historyEnabled" = NOT "historyEnabled" WHERE "id" = ${tenants[one.flag]}::uuid`
  } else if ('flip' in one) {
    const ids = (await on.history.findMany({ select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id)
    const id = ids[one.flip % Math.max(ids.length, 1)]
    if (id) await on.history.update({ where: { id }, data: { success: false, errorReason: 'settlement_reversed' } })
  } else await compare(on, one.look, one.zone, one.asset)
}

const isWithin = ({ network }: Stored, within: Environment) => isNetworkId(network) && environmentOf(network) === within

/** Compares figures and lists with the rows, for all scopes. */
async function compare(on: Db, range: Range, zone: string, asset?: string): Promise<void> {
  const [stored, flags] = await Promise.all([on.history.findMany(), on.tenant.findMany({ where: { historyEnabled: true } })])
  const counted = new Set(flags.map(({ id }) => id))
  const scopes = [
    [adminScope({}, 'test'), () => true],
    [merchantScope(ofSubject(OWNERS[0] ?? ''), 'test'), ({ ownerId }: Stored) => ownerId === OWNERS[0]],
    [adminScope({ tenantId: tenants[1] ?? '' }, 'test'), ({ tenantId }: Stored) => tenantId === tenants[1]],
  ] as const
  for (const [scope, holds] of scopes) {
    for (const within of ['mainnet', 'testnet'] as const) {
      const mine = stored.filter((row) => holds(row) && counted.has(row.tenantId) && isWithin(row, within))
      const asked = { range, zone, within, asset }
      const parts = partsOf(on)
      const {
        figures: answer,
        lists: led,
        topPayers,
        dailyPayers: daily,
        newest,
      } = await overview(parts, scope, asked, EVERYTHING)
      expect({ ...(await figures(parts, scope, asked)), at: answer.at }).toEqual(answer)
      // Unasked, figures are of USDC, or of the one token that occurs.
      const token = asset ?? answer.assets[0] ?? 'USDC'
      expect(answer.asset).toEqual({ symbol: token, decimals: 6 })
      const ofToken = mine.filter(({ symbol }) => symbol === token)
      const naive = naiveFigures(ofToken, token, range, zone, answer.at)
      const { days, previous, total, before, networks, reasons, times } = naive
      const counts = ({ settled, failed, valid, volume }: typeof answer.total) => ({ settled, failed, valid, volume })
      expect(answer.days.map((day) => ({ day: day.day, ...counts(day) }))).toEqual(days)
      expect(answer.previous.map((day) => ({ day: day.day, ...counts(day) }))).toEqual(previous)
      expect([counts(answer.total), counts(answer.before)]).toEqual([total, before])
      const titled = reasons.map((row) => ({ ...row, title: reasonTitle(row.reason) }))
      expect([answer.networks, answer.reasons]).toEqual([networks, titled])
      for (const name of ['p50', 'p95'] as const) {
        const [found, near] = [answer.total[name], times[name]]
        expect([found === null, near === null || (found !== null && found >= near.from && found <= near.until)]).toEqual([
          near === null,
          true,
        ])
      }
      expect([led.payers, led.before]).toEqual([naive.payers, naive.payersBefore])
      const resources = led.resources.map(({ resource, course, networks, ...sums }) => {
        // The picture of the volume has a bar for each day with some, the highest at 100%.
        expect([resource, Math.max(...course)]).toEqual([resource, sums.volume === '0' ? 0 : 100])
        return [resource, { ...sums, networks: networks.toSorted() }] as const
      })
      expect(new Map(resources)).toEqual(naive.resources)
      const sumsOf = ({ count, good, volume, before }: (typeof led.tenants)[number]) => ({ count, good, volume, before })
      expect(new Map(led.tenants.map((one) => [one.tenantId, sumsOf(one)]))).toEqual(naive.tenants)
      for (const { payer, last: _, ...sums } of topPayers.payers) expect(sums).toEqual(naive.topPayers.get(payer))
      const count = total.settled + total.failed
      const few = count > 0 && count < 10 && before.settled + before.failed < 10
      expect([answer.few, newest?.length ?? null]).toEqual([few, few ? count : null])
      if (zone !== 'UTC') continue
      expect(daily?.days.map(({ day, payers: of }) => ({ day, payers: of }))).toEqual(naive.payersByDay)
    }
  }
}

test(
  'figures equal the sums of the rows, in every time zone and range, after any rollup, late row or reversal',
  async () => {
    const run = async (acts: Act[]) => {
      await begin(database.db)
      for (const one of acts) await perform(database.db, one)
      for (const zone of ['UTC', 'Asia/Kathmandu']) await compare(database.db, { days: 30 }, zone)
    }
    const acts = fc.array(act, { minLength: 5, maxLength: 14, size: 'max' })
    await fc.assert(fc.asyncProperty(acts, run), tries(3))
  },
  patience(48),
)

inLongRuns(() => {
  test('figures work on the embedded database too', async () => {
    const on = await freshEmbedded()
    await begin(on)
    await perform(on, { rows: fc.sample(someRow, 60) })
    await compare(on, { days: 7 }, 'America/New_York')
    await perform(on, { roll: 10_000 })
    await compare(on, { days: 30 }, 'UTC')
  })
})
