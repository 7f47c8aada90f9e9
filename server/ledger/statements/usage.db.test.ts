import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { fixture } from '../../../test/support/fixture'
import { widerSubject } from '../../accounts/caller'
import { connect } from '../../db/database'
import { sql } from '../../db/sql'
import { readUsage, takeUnit, type Unit, WIDER_TIMES, widerOf } from './usage'

const database = fixture(freshDatabase)

let subjects = 0
const newUnit = (limit: number, meter: Unit['meter'] = 'settlement'): Unit => ({ subject: `ip:${++subjects}`, meter, limit })
const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make))

describe('units of a quota', () => {
  test('are never over-granted: of 200 parallel takes under a limit of 10, ten have one', async () => {
    const { db } = database
    const unit = newUnit(10)
    const takes = (await many(200, () => takeUnit(db, unit))).filter((used) => used !== null)
    expect((await readUsage(db, unit.subject)).settlement).toBe(10)
    expect(takes.map(({ settlement }) => settlement).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('of one subject are had while another waits for its own, asked for in the same moment', async () => {
    const { db } = database
    const [busy, idle] = [newUnit(10), newUnit(10)]
    await takeUnit(db, busy)
    const waiting = await db.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM "Usage" WHERE "subject" = ${busy.subject} FOR UPDATE`
      const [first, second] = [takeUnit(db, busy), takeUnit(db, idle)]
      expect(await second).not.toBeNull()
      return [first]
    })
    expect((await Promise.all(waiting)).map((used) => used?.settlement)).toEqual([2])
  })

  test('of many subjects are had together, each within its own limit', async () => {
    const { db } = database
    const units = [newUnit(3), newUnit(5), newUnit(100), { ...newUnit(4), subject: 'ip:2001:db8:9:1::/64' }]
    for (const unit of units) await takeUnit(db, unit)
    const takes = await many(40, async () => Promise.all(units.map((unit) => takeUnit(db, unit))))
    const granted = units.map((_, at) => takes.map((take) => take[at]?.settlement).filter((used) => used !== undefined))
    const upTo = (last: number) => Array.from({ length: last - 1 }, (_, at) => at + 2)
    expect(granted.map((counts) => counts.sort((a, b) => a - b))).toEqual([upTo(3), upTo(5), upTo(41), upTo(4)])
    expect((await readUsage(db, 'ip:2001:db8:9::/48')).settlement).toBe(4)
  })

  test('are had by many instances at once, without a deadlock', async () => {
    const { db } = database
    const { db: other, close } = connect({ url: database.url })
    onTestFinished(close)
    const units = Array.from({ length: 16 }, () => newUnit(1_000, 'verification'))
    for (const unit of units) await takeUnit(db, unit)
    await many(30, async () =>
      Promise.all([...units.map((unit) => takeUnit(db, unit)), ...units.toReversed().map((unit) => takeUnit(other, unit))]),
    )
    const used = await Promise.all(units.map(({ subject }) => readUsage(db, subject)))
    expect(used.map(({ verification }) => verification)).toEqual(units.map(() => 61))
  })

  test('cannot be had where there are none, nor above a limit that was lowered', async () => {
    const { db } = database
    const unit = newUnit(2)
    expect(await takeUnit(db, { ...unit, limit: 0 })).toBeNull()
    expect((await readUsage(db, unit.subject)).settlement).toBe(0)
    const taken = [await takeUnit(db, unit), await takeUnit(db, unit), await takeUnit(db, unit)]
    expect(taken.map((used) => used?.settlement)).toEqual([1, 2, undefined])
    expect(await takeUnit(db, { ...unit, limit: 1 })).toBeNull()
    expect(await takeUnit(db, { ...unit, limit: 3 })).toMatchObject({ settlement: 3 })
  })

  test('are counted by subject, by meter and by month', async () => {
    const { db } = database
    const unit = newUnit(10)
    const { subject } = unit
    const period = new Date().toISOString().slice(0, 7)
    await db.usage.create({ data: { subject, meter: 'settlement', period: '2020-01', used: 999 } })
    await takeUnit(db, unit)
    await takeUnit(db, { ...unit, meter: 'verification' })
    expect(await takeUnit(db, { ...unit, meter: 'verification' })).toEqual({ period, settlement: 1, verification: 2 })
    const [read, nothing] = await Promise.all([readUsage(db, subject), readUsage(db, 'unused')])
    expect(read).toEqual({ period, settlement: 1, verification: 2 })
    expect(nothing).toEqual({ period, settlement: 0, verification: 0 })
  })
})

describe('the /48 of a /64', () => {
  test.each([
    'ip:2001:db8:1:2::/64',
    'ip:0:0:0:0::/64',
    'ip:10.0.0.1',
    'ip:2001:db8:1::/48',
    'tenant:00000000-0000-0000-0000-000000000000',
    'owner:oidc:name ::/64:growth',
    '',
  ])('of %s is the same for the database and for the service', async (subject) => {
    const [row] = await database.db.query<{ wider: string | null }>`SELECT ${widerOf(sql`${subject}::text`)} AS "wider"`
    expect(row?.wider).toBe(widerSubject(subject))
  })

  test('pays for each of its /64s, and without units none of them gets one', async () => {
    const { db } = database
    const of = (at: number): Unit => ({ subject: `ip:2001:db8:7:${at}::/64`, meter: 'verification', limit: 3 })
    const used = async (subject: string) => (await readUsage(db, subject)).verification
    const taken = await Promise.all(Array.from({ length: 40 }, (_, at) => takeUnit(db, of(at % 20))))
    expect(taken.filter((one) => one !== null)).toHaveLength(WIDER_TIMES * 3)
    expect(await used('ip:2001:db8:7::/48')).toBe(WIDER_TIMES * 3)
    const each = await Promise.all(Array.from({ length: 20 }, (_, at) => used(of(at).subject)))
    expect(each.reduce((sum, one) => sum + one, 0)).toBe(WIDER_TIMES * 3)
  })
})
