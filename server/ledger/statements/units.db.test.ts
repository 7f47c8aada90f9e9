import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database/database'
import { freshEmbedded } from '../../../test/support/database/embedded'
import { newClaim, SANDBOX } from '../../../test/support/database/ledger'
import { inLongRuns } from '../../../test/support/long-run'
import { connect, type Db } from '../../db/database'
import { type Claim, MONTHLY } from './claim-statement'
import { claimIntent, rejectClaim } from './claims'
import { recordFailedJudgement } from './history'
import { takeUnit } from './usage'

let database: FreshDatabase
/** Another instance on the same database. */
let other: ReturnType<typeof connect>
beforeAll(async () => {
  database = await freshDatabase()
  other = connect({ url: database.url, waitMs: 10_000 })
})
afterAll(async () => {
  await other.close()
  await database.close()
})

const newSubject = () => `ip:${randomBytes(8).toString('hex')}`
const monthly = (subject: string, unitsMax: number, overrides: Partial<Claim> = {}) =>
  newClaim({ caller: subject, subject, period: MONTHLY, unitsMax, returnCap: 2, ...overrides })
const isWon = (end: string) => end === 'claimed' || end === 'claimed alone'

async function usageOf(db: Db, subject: string) {
  const { used, returned } = (await db.usage.findFirst({ where: { subject, meter: 'settlement' } })) ?? { used: 0, returned: 0 }
  return { used, returned }
}

/** Claims of so many intents at once, by instances in turn, with one unit left. */
async function lastUnit(dbs: [Db, ...Db[]], count: number): Promise<void> {
  const [db] = dbs
  const subject = newSubject()
  await claimIntent(db, monthly(subject, 3))
  await claimIntent(db, monthly(subject, 3))
  const results = await Promise.all(
    Array.from({ length: count }, (_, at) => claimIntent(dbs[at % dbs.length] ?? db, monthly(subject, 3))),
  )
  const won = results.filter(({ end }) => isWon(end))
  expect(won.map(({ used }) => used?.settlement)).toEqual([3])
  expect(results.filter(({ end }) => end === 'quota')).toHaveLength(count - 1)
  expect(await usageOf(db, subject)).toEqual({ used: 3, returned: 0 })
  expect(await db.settlement.count({ where: { subject } })).toBe(3)
}

describe('the last unit of a month', () => {
  test("is one claim's, however many come at once to two instances", async () => {
    for (let round = 0; round < 5; round++) await lastUnit([database.db, other.db], 60)
  })

  inLongRuns(() => {
    test("is one claim's on the embedded database", async () => {
      await lastUnit([await freshEmbedded(5)], 20)
    })
  })

  test('leaves the claims of others beside it as they are', async () => {
    const [spent, idle] = [newSubject(), newSubject()]
    await claimIntent(database.db, monthly(spent, 1))
    const claims = [monthly(spent, 1), monthly(idle, 5), monthly(spent, 1), monthly(idle, 5)]
    const results = await Promise.all(claims.map((claim) => claimIntent(database.db, claim)))
    expect(results.map(({ end }) => end)).toEqual(['quota', 'claimed', 'quota', 'claimed'])
    // Decided one by one, in any order.
    expect([results[0]?.used, results[2]?.used]).toEqual([null, null])
    expect([results[1]?.used?.settlement, results[3]?.used?.settlement].sort()).toEqual([1, 2])
  })

  test("of a /48 is one claim's, from any of its /64s", async () => {
    const of = (at: number) => `ip:2001:db8:9:${at}::/64`
    const claims = Array.from({ length: 30 }, (_, at) => monthly(of(at), 2))
    const results = await Promise.all(claims.map((claim, at) => claimIntent((at % 2 ? other : database).db, claim)))
    expect(results.filter(({ end }) => isWon(end))).toHaveLength(16)
    expect(await usageOf(database.db, 'ip:2001:db8:9::/48')).toEqual({ used: 16, returned: 0 })
  })
})

/** Two /64s of one /48 and a caller beside them, and everything that may happen to their units. */
function unitHarness() {
  const block = randomBytes(2).readUInt16BE().toString(16)
  const wide = randomBytes(2).readUInt16BE().toString(16)
  const subjects = [`ip:2001:${wide}:${block}:1::/64`, `ip:2001:${wide}:${block}:2::/64`, newSubject()]
  const wider = `ip:2001:${wide}:${block}::/48`
  const claims: Claim[] = []
  const spent = { failures: subjects.map(() => 0), verdicts: subjects.map(() => 0), uncounted: subjects.map(() => 0) }
  const db = (at: number) => (at % 2 ? other : database).db

  const acts = {
    async claim(who: number, at: number) {
      const again = at % 3 === 0 ? claims.at(-1 - at) : undefined
      const claim = monthly(subjects[who] ?? '', LIMIT, again ? { intentKey: again.intentKey } : {})
      if (isWon((await claimIntent(db(at), claim)).end)) claims.push(claim)
    },
    async reject(_who: number, at: number) {
      const claim = claims.at(-1 - at)
      if (claim) await rejectClaim(db(at), claim.id, claim.waiter)
    },
    async underfund(_who: number, at: number) {
      const claim = claims.at(-1 - at)
      if (!claim || !(await rejectClaim(db(at), claim.id, claim.waiter, 'underfunded'))) return
      const who = subjects.indexOf(claim.subject)
      spent.uncounted[who] = (spent.uncounted[who] ?? 0) + 1
    },
    async fail(who: number, at: number) {
      const subject = subjects[who] ?? ''
      const recorded = await recordFailedJudgement(db(at), {
        intentKey: claims.at(-1 - at)?.intentKey ?? null,
        unit: { subject, meter: 'settlement', limit: LIMIT },
        unpayable: null,
        row: { ...ROW, id: uuidv7(), caller: subject },
      })
      if (recorded.end === 'recorded') spent.failures[who] = (spent.failures[who] ?? 0) + 1
    },
    async unpayable(who: number, at: number) {
      const subject = subjects[who] ?? ''
      const recorded = await recordFailedJudgement(db(at), {
        intentKey: null,
        unit: { subject, meter: 'settlement', limit: LIMIT },
        unpayable: { caller: subject, meter: 'settlement', free: 2 },
        row: { ...ROW, id: uuidv7(), caller: subject },
      })
      if (recorded.end === 'recorded' && (recorded.unpaid?.count ?? 0) > 2) spent.failures[who] = (spent.failures[who] ?? 0) + 1
    },
    async take(who: number, at: number) {
      const taken = await takeUnit(db(at), { subject: subjects[who] ?? '', meter: 'settlement', limit: LIMIT })
      if (taken) spent.verdicts[who] = (spent.verdicts[who] ?? 0) + 1
    },
  } satisfies Record<string, (who: number, at: number) => Promise<void>>

  /** What the ledger says that each subject owes, and what was counted. */
  async function expectToBalance(): Promise<void> {
    let sum = 0
    for (const [who, subject] of subjects.entries()) {
      const { used, returned } = await usageOf(database.db, subject)
      const states = await database.db.settlement.groupBy({ by: ['state'], where: { subject }, _count: true })
      const held = states.filter(({ state }) => state !== 'REJECTED').reduce((total, one) => total + one._count, 0)
      const freed = states.find(({ state }) => state === 'REJECTED')?._count ?? 0
      const kept = freed - (spent.uncounted[who] ?? 0) - returned
      expect(used).toBe(held + kept + (spent.failures[who] ?? 0) + (spent.verdicts[who] ?? 0))
      expect([used <= LIMIT, returned <= 2, kept >= 0]).toEqual([true, true, true])
      expect(await database.db.history.count({ where: { caller: subject, tenantId: SANDBOX } })).toBeGreaterThanOrEqual(
        spent.failures[who] ?? 0,
      )
      if (who < 2) sum += used
    }
    expect((await usageOf(database.db, wider)).used).toBe(sum)
  }
  return { acts, expectToBalance }
}

const LIMIT = 6
const ROW = {
  tenantId: SANDBOX,
  payer: '',
  payTo: 'x',
  network: 'x',
  resource: '',
  amount: 1n,
  symbol: 'USDC',
  errorReason: 'unknown',
  tier: 'sandbox',
  rowsMax: 1_000,
}

const names = ['claim', 'claim', 'claim', 'reject', 'underfund', 'fail', 'unpayable', 'take'] as const
const act = fc.record({ name: fc.constantFrom(...names), who: fc.nat(2), at: fc.nat(5) })
const rounds = fc.array(fc.array(act, { minLength: 3, maxLength: 10, size: 'max' }), { minLength: 4, maxLength: 8, size: 'max' })

test('no unit is lost or counted twice under any concurrency on two instances', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (some) => {
      const { acts, expectToBalance } = unitHarness()
      for (const round of some) {
        await Promise.all(round.map(({ name, who, at }) => acts[name](who, at)))
        await expectToBalance()
      }
    }),
    { numRuns: 25 },
  )
}, 240_000)
