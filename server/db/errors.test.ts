import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, startCluster } from '../../test/postgres'
import { connect, type Db } from './database'
import { isUnavailable } from './errors'

/** What went wrong, if anything; the work starts now, not when somebody waits for it. */
const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )

const ask = (db: Db) => db.$queryRaw`SELECT 1`
const askInside = (db: Db) => db.$transaction(async (tx) => tx.$queryRaw`SELECT 1`)

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
    const running = failureOf(db.$queryRaw`SELECT pg_sleep(20)::text`)
    await expect.poll(() => db.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`).toHaveLength(1)
    await cluster.crash()
    expect(isUnavailable(await running)).toBe(true)
    expect(isUnavailable(await failureOf(ask(db)))).toBe(true)
    expect(isUnavailable(await failureOf(askInside(db)))).toBe(true)
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
    const holders = [1, 2].map(() => failureOf(db.$queryRaw`SELECT pg_sleep(2.5)::text`))
    expect(isUnavailable(await failureOf(ask(db)))).toBe(true)
    expect(isUnavailable(await failureOf(askInside(db)))).toBe(true)
    expect(await Promise.all(holders)).toEqual([undefined, undefined])
  })

  test('a statement that takes too long', async () => {
    expect(isUnavailable(await failureOf(db.$queryRaw`SELECT pg_sleep(20)::text`))).toBe(true)
  })

  test('a server that is not there, whatever the address', async () => {
    const addresses = [`postgresql://x@127.0.0.1:${await freePort()}/x`, 'postgresql://x@localhost/x?host=/no/such/folder']
    for (const url of addresses) {
      const nobody = connect({ url })
      expect(isUnavailable(await failureOf(ask(nobody.db)))).toBe(true)
      expect(isUnavailable(await failureOf(askInside(nobody.db)))).toBe(true)
      await nobody.close()
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
    const mistake = await failureOf(db.$queryRaw`SELEC 1`)
    const raised = await failureOf(db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'no way back'; END $$`))
    expect([duplicate, mistake, raised, new Error('ours'), undefined, 'x'].map(isUnavailable)).toEqual(Array(6).fill(false))
  })
})
