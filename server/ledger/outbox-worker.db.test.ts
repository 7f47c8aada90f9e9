import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import { until } from '../../test/support/until'
import { connect } from '../db/database'
import { endEffect } from '../db/outbox'
import { type Effect, retryMs, startEffects } from './outbox-worker'

const database = fixture(freshDatabase)

function start(effect: Effect): { lines: string[] } {
  const { log, lines } = keepLog()
  const shared = { kind: 'catalog', exclusive: false, failpoint: () => {}, log, pollMs: 10 } as const
  // Two instances on one database.
  const instances = [1, 2].map(() => connect({ url: database.url }))
  const loops = instances.map(({ db }) => startEffects({ ...shared, db, effect, atOnce: 2 }))
  onTestFinished(async () => {
    await Promise.all(loops.map((loop) => loop.stop()))
    await Promise.all(instances.map((one) => one.close()))
  })
  return { lines }
}

async function newEffects(count: number, data: object = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({ kind: 'catalog', key: randomUUID(), ...data }))
  await database.db.outbox.createMany({ data: rows })
  return rows.map(({ key }) => key)
}

const open = (keys: string[]) => database.db.outbox.count({ where: { key: { in: keys }, doneAt: null } })

test('instances share the work, and each effect is done once', async () => {
  const keys = await newEffects(50)
  const did: string[] = []
  start(async (key) => {
    did.push(key)
    return (id) => endEffect(database.db, id)
  })
  await until(async () => (await open(keys)) === 0, 'the work to be done')
  expect(did.sort()).toEqual(keys.sort())
})

test('a failed effect holds up no other, is logged, and is retried later', async () => {
  const [broken = ''] = await newEffects(1, { createdAt: new Date(Date.now() - 60_000), nextAt: new Date(Date.now() - 60_000) })
  const { lines } = start(async (key) => {
    if (key === broken) throw new Error('the resource is cursed')
    return (id) => endEffect(database.db, id)
  })
  const others = await newEffects(10)
  await until(async () => (await open(others)) === 0, 'the others to be done')
  const row = await database.db.outbox.findFirstOrThrow({ where: { key: broken } })
  expect(row).toMatchObject({ doneAt: null, tries: 1 })
  expect(row.nextAt.getTime()).toBeGreaterThan(row.createdAt.getTime())
  expect(lines.filter((line) => line.includes('an effect failed; it is retried later'))).toHaveLength(1)
  await database.db.outbox.delete({ where: { id: row.id } })
})

test('an effect that has failed for a day is given up with an error in the log', async () => {
  const [hopeless = ''] = await newEffects(1, { createdAt: new Date(Date.now() - 25 * 3_600_000), tries: 30 })
  const { lines } = start(async () => {
    throw new Error('never')
  })
  await until(async () => (await open([hopeless])) === 0, 'it to be given up')
  expect(await database.db.outbox.findFirst({ where: { key: hopeless } })).toMatchObject({ gaveUp: true, tries: 31 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, kind: 'catalog', tries: 31 }])
})

test('pauses grow up to an hour, and are never the same for all', () => {
  expect([1, 2, 3, 40].map((tries) => retryMs(tries, () => 1))).toEqual([2_000, 4_000, 8_000, 3_600_000])
  expect(retryMs(3, () => 0)).toBe(4_000)
})
