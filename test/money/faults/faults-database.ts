import type { Deployment, Operation, Prepared } from './deployment'

const database = (id: string, what: string, happen: Prepared['happen']): Operation => ({
  id,
  what,
  tier: 'sandbox',
  prepare: async () => ({ happen }),
})

/** Alternates between a fault of the database and its end, `forMs` each. */
async function nowAndAgain({ lasts, sleep }: Deployment, forMs: number, begin: () => Promise<void>, end: () => Promise<void>) {
  while (lasts()) {
    await begin()
    await sleep(forMs)
    await end()
    await sleep(forMs)
  }
}

// The tables that a payment writes to.
const WRITTEN = ['Settlement', 'Slot', 'SlotMember', 'Attempt', 'Lane', 'Step', 'History', 'Outbox', 'Usage', 'WatchCursor']

/** SQL that makes a random share of the writes fail with these database error codes. */
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

// Open sessions apply it with their next statement.
async function readOnly({ sql }: Deployment, only: 'on' | 'off'): Promise<void> {
  await sql(`ALTER SYSTEM SET default_transaction_read_only = ${only}`)
  await sql('SELECT pg_reload_conf()')
}

const crashing = database('D1', 'PostgreSQL crashing and starting again every 6 s', async ({ cluster, lasts, sleep }) => {
  while (lasts()) {
    await sleep(5_000)
    await cluster.crash()
    await sleep(1_000)
    await cluster.start()
  }
})

/** Faults of the database. */
export const ofDatabases: readonly Operation[] = [
  crashing,
  { ...crashing, what: `${crashing.what}, with sponsored approvals`, approving: true },
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
