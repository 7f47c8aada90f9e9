import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { type Customer, type KillSetup, startKillSetup } from '../../test/money/kill/kills'
import { until } from '../../test/support/until'

// A statement that has inserted its rows stops before it commits, for as long as a test holds this lock.
const LOCK = 4711

let setup: KillSetup
let admin: pg.Client
beforeAll(async () => {
  setup = await startKillSetup()
  admin = new pg.Client({ connectionString: setup.database.url })
  await admin.connect()
  await admin.query(`
    CREATE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NULL; END $$`)
  for (const table of ['SlotMember', 'History'])
    await admin.query(`CREATE TRIGGER stop_here AFTER INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION stop_here()`)
})
afterEach(async () => {
  await admin.query('SELECT pg_advisory_unlock_all()')
  await setup.clear()
})
afterAll(async () => {
  await admin.end()
  await setup.close()
})

/** The database's processes that stopped in the middle of a statement. */
async function stopped(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
  )
  return rows.map(({ pid }) => pid)
}

/** Ends those connections, as after the loss of a machine: uncommitted work is undone. */
async function cut(): Promise<void> {
  const pids = await stopped()
  await admin.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [pids])
  await until(async () => (await stopped()).every((pid) => !pids.includes(pid)), 'the connections to end')
}

/** Settles until the next statement that inserts into one of those tables has stopped. */
async function stopIn(customer: Customer, before: () => Promise<void> = async () => {}) {
  const service = await setup.start()
  const answer = setup.settle(service, customer)
  await before()
  await until(async () => (await stopped()).length > 0, 'a statement to stop', 20_000)
  return { service, answer }
}

const lock = async () => void (await admin.query(`SELECT pg_advisory_lock(${LOCK})`))
const unlock = async () => void (await admin.query(`SELECT pg_advisory_unlock(${LOCK})`))
const counts = async () => Promise.all([setup.database.db.slot.count(), setup.database.db.attempt.count()])

describe('a write-ahead that was not committed', () => {
  test('when the process was killed uses no nonce, and the retry gets the one success', async () => {
    const customer = await setup.newCustomer()
    const before = await counts()
    await lock()
    const { service, answer } = await stopIn(customer)
    await service.kill('SIGKILL')
    await cut()
    expect(await answer).toBe('no answer')
    expect(await counts()).toEqual(before)
    await unlock()
    expect(await setup.retry(await setup.start(), customer)).toMatchObject({ status: 200, body: { success: true } })
    expect(await counts()).toEqual(before.map((count) => count + 1))
  })

  test('because its connection was cut is written again, and the waiting request gets the success', async () => {
    const customer = await setup.newCustomer()
    const before = await counts()
    await lock()
    const { service, answer } = await stopIn(customer)
    await cut()
    await unlock()
    const response = await answer
    if (response === 'no answer' || response.body.success !== true) await setup.retry(service, customer)
    expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
    expect(await counts()).toEqual(before.map((count) => count + 1))
  })
})

describe('a landing that was not committed', () => {
  test('when the process was killed wrote no history row, and later writes one', async () => {
    const customer = await setup.newCustomer()
    const { client } = setup.chain
    await client.setIntervalMining({ interval: 0 })
    onTestFinished(() => client.setIntervalMining({ interval: 1 }))
    const { service, answer } = await stopIn(customer, async () => {
      await until(async () => (await setup.settlementsOf(customer)).some(({ slotId }) => slotId), 'the write-ahead', 20_000)
      await lock()
      await client.setIntervalMining({ interval: 1 })
    })
    await service.kill('SIGKILL')
    await cut()
    await answer
    expect(await setup.historyOf(customer)).toEqual([])
    expect(await setup.settlementsOf(customer)).toMatchObject([{ state: expect.stringMatching(/PREPARED|BROADCAST/) }])
    await unlock()
    expect(await setup.retry(await setup.start(), customer)).toMatchObject({ status: 200, body: { success: true } })
    expect(await setup.historyOf(customer)).toMatchObject([{ success: true }])
  })
})

test('none of this leaves anything that the auditor objects to', async () => {
  expect(await setup.audit()).toEqual(NO_OFFENCE)
})
