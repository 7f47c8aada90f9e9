import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, startCluster } from '../../test/support/database/postgres'
import { connect, type Db } from './database'
import { isOutOfCredits, isUnavailable, wasRefused } from './errors'

/** The error of the work, if any; the work starts now, not when the result is awaited. */
const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )

const ask = (db: Db) => db.$queryRaw`SELECT 1`
/** Every path to the database. */
const waysIn = (db: Db) => [
  () => ask(db),
  () => db.$transaction(async (tx) => tx.$queryRaw`SELECT 1`),
  () => db.query`SELECT 1`,
  () => db.transaction((within) => within.query`SELECT 1`),
]
const unavailableBy = async (db: Db) => {
  const answers: boolean[] = []
  for (const way of waysIn(db)) answers.push(isUnavailable(await failureOf(way())))
  return answers
}
const ALL = waysIn(Object.create(null)).map(() => true)

describe('isUnavailable', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let db: Db
  let close: () => Promise<void>

  beforeAll(async () => {
    cluster = await startCluster()
    ;({ db, close } = connect({ url: cluster.url('postgres'), poolMax: 2 }))
  })
  afterAll(async () => {
    await close()
    await cluster.remove()
  })

  test('a database that stops in the middle of a statement, stays down, and comes back', async () => {
    await ask(db)
    const three = connect({ url: cluster.url('postgres'), poolMax: 4 })
    const running = [
      failureOf(three.db.$queryRaw`SELECT pg_sleep(20)::text`),
      failureOf(three.db.query`SELECT pg_sleep(20)`),
      failureOf(three.db.transaction((within) => within.query`SELECT pg_sleep(20)`)),
    ]
    await expect.poll(() => db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`).toHaveLength(3)
    await cluster.crash()
    expect((await Promise.all(running)).map(isUnavailable)).toEqual([true, true, true])
    await three.close()
    expect(await unavailableBy(db)).toEqual(ALL)
    await cluster.start()
    await expect.poll(() => failureOf(ask(db))).toBeUndefined()
  })

  test('a connection ended by the administrator', async () => {
    const running = failureOf(db.$queryRaw`SELECT pg_sleep(20)::text`)
    const end = () => db.$queryRaw<unknown[]>`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`
    await expect.poll(end).toHaveLength(1)
    expect(isUnavailable(await running)).toBe(true)
  })

  test('a pool that stays exhausted', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let held = 0
    const hold = () =>
      db.transaction(async (within) => {
        await within.query`SELECT 1`
        held += 1
        // No statement runs, so that no timeout of the database gives the connection back.
        await released
      })
    const holders = [failureOf(hold()), failureOf(hold())]
    await expect.poll(() => held).toBe(2)
    const answers = await Promise.all(waysIn(db).map((way) => failureOf(way())))
    release()
    expect(answers.map(isUnavailable)).toEqual(ALL)
    expect(await Promise.all(holders)).toEqual([undefined, undefined])
  })

  test('a statement that takes too long', async () => {
    const slow = [failureOf(db.$queryRaw`SELECT pg_sleep(20)::text`), failureOf(db.query`SELECT pg_sleep(20)`)]
    expect((await Promise.all(slow)).map(isUnavailable)).toEqual([true, true])
  })

  test('a missing server, at a port or a socket', async () => {
    const addresses = [`postgresql://x@127.0.0.1:${await freePort()}/x`, 'postgresql://x@localhost/x?host=/no/such/folder']
    for (const url of addresses) {
      const missing = connect({ url })
      expect(await unavailableBy(missing.db)).toEqual(ALL)
      await missing.close()
    }
  })

  test('a server that accepts and never answers', async () => {
    const silent = createServer(() => {})
    const port = await freePort()
    await new Promise<void>((listening) => silent.listen(port, '127.0.0.1', listening))
    const waiting = connect({ url: `postgresql://x@127.0.0.1:${port}/x` })
    expect(isUnavailable(await failureOf(ask(waiting.db)))).toBe(true)
    await waiting.close()
    silent.close()
  })

  test('not a refused write, a mistake in our SQL or an error of ours', async () => {
    await db.$executeRaw`CREATE TABLE "Once" (id int CONSTRAINT "Once_key" PRIMARY KEY)`
    await db.$executeRaw`INSERT INTO "Once" VALUES (1)`
    const duplicate = await failureOf(db.$executeRaw`INSERT INTO "Once" VALUES (1)`)
    const again = await failureOf(db.execute`INSERT INTO "Once" VALUES (1)`)
    const mistake = await failureOf(db.$queryRaw`SELEC 1`)
    const ours = await failureOf(db.query`SELEC 1`)
    const raised = await failureOf(db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'no way back'; END $$`))
    const others = [duplicate, again, mistake, ours, raised, new Error('ours'), undefined, 'x']
    expect(others.map(isUnavailable)).toEqual(Array(8).fill(false))
    expect(others.map(wasRefused)).toEqual([true, true, true, true, true, false, false, false])
  })

  test('credits that are used up have a code of their own, both ways', async () => {
    await db.execute`
      CREATE FUNCTION spent() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'none left' USING ERRCODE = 'QT001'; END $$`
    const failures = [await failureOf(db.$queryRaw`SELECT spent()`), await failureOf(db.query`SELECT spent()`)]
    expect(failures.map(isOutOfCredits)).toEqual([true, true])
    expect(failures.map(wasRefused)).toEqual([true, true])
    expect([new Error('ours'), await failureOf(db.query`SELECT 1 / 0`)].map(isOutOfCredits)).toEqual([false, false])
  })
})
