import type { Deployment, Operation, Prepared } from './deployment'

const database = (id: string, what: string, happen: Prepared['happen']): Operation => ({
  ...{ id, what, tier: 'sandbox' },
  prepare: async () => ({ happen }),
})

/** Does something to the database and undoes it again and again, each for so long. */
async function nowAndAgain({ lasts, sleep }: Deployment, forMs: number, begin: () => Promise<void>, end: () => Promise<void>) {
  while (lasts()) {
    await begin()
    await sleep(forMs)
    await end()
    await sleep(forMs)
  }
}

// Everything that a payment writes to.
const WRITTEN = ['Settlement', 'Slot', 'SlotMember', 'Attempt', 'Lane', 'Step', 'History', 'Outbox', 'Usage', 'WatchCursor']

/** Has every statement that writes there fail at random, as the database itself might fail it. */
const raising = (share: number, codes: readonly string[]) => `
  CREATE FUNCTION fail_now_and_then() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF random() < ${share} THEN
      RAISE EXCEPTION 'made to fail' USING ERRCODE = (ARRAY['${codes.join("','")}'])[1 + floor(random() * ${codes.length})::int];
    END IF;
    RETURN NULL;
  END $$;
  ${onEach((table) => `CREATE TRIGGER fail_now_and_then BEFORE INSERT OR UPDATE ON "${table}" EXECUTE FUNCTION fail_now_and_then();`)}`

const NO_MORE = `${onEach((table) => `DROP TRIGGER IF EXISTS fail_now_and_then ON "${table}";`)} DROP FUNCTION IF EXISTS fail_now_and_then;`

function onEach(statement: (table: string) => string): string {
  return WRITTEN.map(statement).join('\n')
}

const failing = (id: string, what: string, share: number, codes: readonly string[]) =>
  database(id, what, (deployment) =>
    nowAndAgain(
      deployment,
      5_000,
      () => deployment.sql(raising(share, codes)),
      () => deployment.sql(NO_MORE),
    ),
  )

// Sessions that are open take it up with their next statement.
async function readOnly({ sql }: Deployment, only: 'on' | 'off'): Promise<void> {
  await sql(`ALTER SYSTEM SET default_transaction_read_only = ${only}`)
  await sql('SELECT pg_reload_conf()')
}

/** What may become of the database. */
export const ofDatabases: readonly Operation[] = [
  database('D1', 'PostgreSQL crashing and starting again every 6 s', async ({ cluster, lasts, sleep }) => {
    while (lasts()) {
      await sleep(5_000)
      await cluster.crash()
      await sleep(1_000)
      await cluster.start()
    }
  }),
  database('D2', 'PostgreSQL standing still for 20 s', async ({ cluster, lasts, sleep }) => {
    await sleep(3_000)
    await cluster.freeze()
    await sleep(20_000)
    await cluster.thaw()
    while (lasts()) await sleep(500)
  }),
  database('D3', 'a ledger that can only be read, 5 s of 10', (deployment) =>
    nowAndAgain(
      deployment,
      5_000,
      () => readOnly(deployment, 'on'),
      () => readOnly(deployment, 'off'),
    ),
  ),
  failing('D3', 'a full disk for every write, 5 s of 10', 1, ['53100']),
  failing('D4', 'a twentieth of all writes failing as deadlocked or not serializable', 1 / 20, ['40001', '40P01']),
]
