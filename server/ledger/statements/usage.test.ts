import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database'
import { readUsage, returnUnit, takeUnit, untakeUnit } from './usage'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

let subjects = 0
const newKey = (meter: 'settlement' | 'verification' = 'settlement') => ({ subject: `ip:${++subjects}`, meter })

describe('units of a quota', () => {
  test('are never over-granted: of 200 parallel takes under a limit of 10, ten have one', async () => {
    const { db } = database
    const key = newKey()
    const takes = await Promise.all(Array.from({ length: 200 }, () => takeUnit(db, key, 10)))
    expect(takes.filter(({ taken }) => taken)).toHaveLength(10)
    expect((await readUsage(db, key.subject)).settlement).toBe(10)
    const counts = takes.filter(({ taken }) => taken).map(({ used }) => used.settlement)
    expect(counts.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const { taken, used } of takes) if (!taken) expect(used.settlement).toBe(10)
  })

  test('of one subject are had while another waits for its own, asked for in the same moment', async () => {
    const { db } = database
    const [busy, idle] = [newKey(), newKey()]
    await takeUnit(db, busy, 10)
    const waiting = await db.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM "Usage" WHERE "subject" = ${busy.subject} FOR UPDATE`
      const [first, second] = [takeUnit(db, busy, 10), takeUnit(db, idle, 10)]
      expect((await second).taken).toBe(true)
      return [first]
    })
    expect((await Promise.all(waiting)).map(({ used }) => used.settlement)).toEqual([2])
  })

  test('cannot be had where there are none, nor above a limit that was lowered', async () => {
    const { db } = database
    const key = newKey()
    expect((await takeUnit(db, key, 0)).taken).toBe(false)
    expect((await readUsage(db, key.subject)).settlement).toBe(0)
    for (const taken of [true, true, false]) expect((await takeUnit(db, key, 2)).taken).toBe(taken)
    expect((await takeUnit(db, key, 1)).taken).toBe(false)
    expect((await takeUnit(db, key, 3)).taken).toBe(true)
  })

  test('are counted by subject, by meter and by month', async () => {
    const { db } = database
    const key = newKey()
    const period = new Date().toISOString().slice(0, 7)
    await db.usage.create({ data: { ...key, period: '2020-01', used: 999 } })
    await takeUnit(db, key, 10)
    await takeUnit(db, { ...key, meter: 'verification' }, 10)
    const { used } = await takeUnit(db, { ...key, meter: 'verification' }, 10)
    expect(used).toEqual({ period, settlement: 1, verification: 2 })
    expect(await readUsage(db, key.subject)).toEqual({ period, settlement: 1, verification: 2 })
    expect(await readUsage(db, 'nobody')).toEqual({ period, settlement: 0, verification: 0 })
  })

  test('come back at most as often as allowed, however many ask at once', async () => {
    const { db } = database
    const key = newKey()
    const { used } = await takeUnit(db, key, 100)
    for (let more = 0; more < 19; more++) await takeUnit(db, key, 100)
    const returned = await Promise.all(Array.from({ length: 30 }, () => returnUnit(db, key, used.period, 5)))
    expect(returned.filter(Boolean)).toHaveLength(5)
    expect((await readUsage(db, key.subject)).settlement).toBe(15)
  })

  test('never fall below zero, and never come back to another month', async () => {
    const { db } = database
    const key = newKey()
    const { used } = await takeUnit(db, key, 10)
    expect(await returnUnit(db, key, '2020-01', 5)).toBe(false)
    expect([await returnUnit(db, key, used.period, 5), await returnUnit(db, key, used.period, 5)]).toEqual([true, false])
    expect((await readUsage(db, key.subject)).settlement).toBe(0)
  })

  test('undone are none that came back, and never fall below zero', async () => {
    const { db } = database
    const key = newKey()
    const { used } = await takeUnit(db, key, 10)
    await takeUnit(db, key, 10)
    await untakeUnit(db, key, '2020-01')
    for (const left of [1, 0, 0]) {
      await untakeUnit(db, key, used.period)
      expect(await db.usage.findFirst({ where: key, select: { used: true, returned: true } })).toEqual({
        used: left,
        returned: 0,
      })
    }
  })
})
