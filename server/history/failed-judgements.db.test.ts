import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, readersOf, startReading, tenantOf } from '../../test/support/service/history'
import { until } from '../../test/support/until'
import { sandboxCaller } from '../accounts/caller'
import { DAY_MS } from '../base/durations'
import { pruneFailedJudgements, recordFailedJudgement } from '../ledger/statements/history'
import { startHousekeeping } from '../operations/housekeeping'
import { rollDay } from '../sums/rollup-queries'

const harness = fixture(startReading)

/** Noon of the UTC day so many days ago. */
const noon = (daysAgo: number) => new Date((Math.floor(Date.now() / DAY_MS) - daysAgo + 0.5) * DAY_MS)
const dayOf = (daysAgo: number) => noon(daysAgo).toISOString().slice(0, 10)

const judged = { caller: 'ip:10.0.0.1', success: false, errorReason: 'insufficient_funds', txHash: '' }

/** A tenant with these rows. */
async function tenantWith(...rows: Partial<ReturnType<typeof newRow>>[]) {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  await harness.app.db.history.createMany({ data: rows.map((row) => newRow({ ownerId, tenantId, ...row })) })
  const count = () => harness.app.db.history.count({ where: { tenantId } })
  const analytics = async () => (await readersOf(harness.app).merchantAnalytics(ownerId, '?days=30')).body
  return { tenantId, count, analytics }
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

test('rows of judged failures go after their days, some at a time, and analytics keep what they say', async () => {
  const { db } = harness.app
  const old = { createdAt: noon(20) }
  const { tenantId, count, analytics } = await tenantWith(
    ...times(5, { ...judged, ...old }),
    old,
    old,
    { ...old, success: false, errorReason: 'authorization_used_elsewhere' },
    { ...judged, createdAt: noon(3) },
  )
  for (const daysAgo of [20, 3]) await rollDay(db, { tenantId, day: dayOf(daysAgo) })
  const before = await analytics()
  expect(before).toMatchObject({ summary: { total_settlements: 9 } })

  const gone: number[] = []
  for (let n = 0; n < 4; n++) gone.push(await pruneFailedJudgements(db, 2, 10))
  expect([gone, await count()]).toEqual([[2, 2, 1, 0], 4])
  expect(await db.rollupDay.findMany({ where: { tenantId }, orderBy: { day: 'asc' } })).toMatchObject([
    { state: 'rolled', pruned: true },
    { state: 'rolled', pruned: false },
  ])
  expect(await analytics()).toEqual(before)

  // A change of such a day cannot be summed up from its rows any more.
  await db.history.updateMany({ where: { tenantId, errorReason: 'authorization_used_elsewhere' }, data: { errorReason: 'x' } })
  expect(await db.rollupDay.count({ where: { tenantId, state: 'dirty' } })).toBe(0)
  await db.rollupDay.updateMany({ where: { tenantId }, data: { state: 'dirty' } })
  for (const daysAgo of [20, 3]) await rollDay(db, { tenantId, day: dayOf(daysAgo) })
  expect(await analytics()).toEqual(before)
})

test('a row stays as long as its day is not summed up', async () => {
  const { db } = harness.app
  const { tenantId, count } = await tenantWith({ ...judged, createdAt: noon(20) })
  expect(await db.rollupDay.findMany({ where: { tenantId } })).toMatchObject([{ state: 'dirty' }])
  expect([await pruneFailedJudgements(db, 10, 10), await count()]).toEqual([0, 1])
  await rollDay(db, { tenantId, day: dayOf(20) })
  expect([await pruneFailedJudgements(db, 10, 10), await count()]).toEqual([1, 0])
})

test('housekeeping deletes them', async () => {
  const { db, log } = harness.app
  const { tenantId, count } = await tenantWith({ ...judged, createdAt: noon(95) }, { ...judged, createdAt: noon(85) })
  for (const daysAgo of [95, 85]) await rollDay(db, { tenantId, day: dayOf(daysAgo) })
  const loop = startHousekeeping({ db, log, failedHistoryDays: 90, everyMs: 20 })
  onTestFinished(() => loop.stop())
  await until(async () => (await count()) === 1, 'the older row to go')
})

const unpriced = { intentKey: null, unit: null, unpayable: null }
const entryOf = (tenantId: string) => ({
  tenantId,
  tier: 'standard',
  payer: '',
  payTo: 'x',
  network: 'x',
  resource: '',
  amount: 1n,
  symbol: 'USDC',
  errorReason: 'unknown',
  rowsMax: 3,
})
const month = () => new Date().toISOString().slice(0, 7)

test('a caller writes as many rows a month as it may, however many come at once', async () => {
  const { db } = harness.app
  const { tenantId, count } = await tenantWith()
  const write = (caller: string) =>
    recordFailedJudgement(db, { ...unpriced, row: { ...entryOf(tenantId), id: uuidv7(), caller } })
  await Promise.all(times(20, `tenant:${tenantId}`).map(write))
  expect(await count()).toBe(3)
  await write('ip:10.0.0.99')
  expect(await count()).toBe(4)
  const tallies = await db.tally.findMany({ where: { subject: `tenant:${tenantId}` } })
  expect(tallies).toMatchObject([{ kind: 'failed judgements', period: month(), count: 3 }])
})

/** Callers, each from its own /64 of this /48. */
const callersOf = (block: string, count: number) =>
  Array.from({ length: count }, (_, at) => sandboxCaller(`${block}:${at}::1`).id)

test('the callers of an IPv6 /48 together write as many rows a month as eight of them, however many come at once', async () => {
  const { db } = harness.app
  const { tenantId, count } = await tenantWith()
  const write = (caller: string) =>
    recordFailedJudgement(db, { ...unpriced, row: { ...entryOf(tenantId), id: uuidv7(), caller } })
  const nine = callersOf('2001:db8:91', 9)
  await Promise.all([...nine, ...nine, ...nine, ...nine].map(write))
  expect(await count()).toBe(8 * 3)
  // One /64 alone has its own rows, and its flood takes nothing from its neighbours.
  const [flood = '', neighbour = ''] = callersOf('2001:db8:92', 2)
  for (const caller of [...times(30, flood), neighbour]) await write(caller)
  expect(await count()).toBe(8 * 3 + 4)
})

test('the unpayable payments of an IPv6 /48 are free up to those of eight callers, then each costs a unit', async () => {
  const { db } = harness.app
  const nine = callersOf('2001:db8:93', 9)
  const fail = async (caller: string) => {
    const unit = { subject: caller, meter: 'settlement', limit: 1_000 } as const
    const unpayable = { caller, meter: 'settlement', free: 2 } as const
    const told = await recordFailedJudgement(db, { intentKey: null, unit, unpayable, row: null })
    return told.end === 'recorded' ? told.unpaid?.count : told.end
  }
  const used = () => db.usage.findMany({ where: { subject: 'ip:2001:db8:93::/48' } })
  for (const caller of [...nine, ...nine].slice(0, 16)) expect(await fail(caller)).toBeLessThanOrEqual(2)
  expect(await used()).toEqual([])
  for (const caller of [...nine, ...nine].slice(16)) expect(await fail(caller)).toBe(3)
  expect(await used()).toMatchObject([{ meter: 'settlement', period: month(), used: 2 }])
})
