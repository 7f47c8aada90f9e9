import { expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { startReading } from '../../../test/support/service/history'
import { mintKey } from '../../accounts/keyring'
import { startMadeUpNode } from './node'
import { createMadeUpBodies } from './payments'
import { startMadeUpService, startWarmUp } from './warm-up'

const harness = fixture(startReading)

/** How many rows each table has. */
async function rowsOf(): Promise<unknown> {
  return harness.app.db.queryUnprepared`
    SELECT relname, (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', relname), false, true, '')))[1]::text AS "rows"
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`
}

/** Every counter of ours. The clock offset is measured anew each time. */
async function figuresOf(): Promise<string[]> {
  const { text } = await harness.app.metrics()
  return text
    .split('\n')
    .filter((line) => line.startsWith('quittance_') && !line.startsWith('quittance_database_clock_offset_seconds'))
}

/** The service of an operator who takes no small payments. */
const dear = () => ({ ...harness.app, config: { ...harness.app.config, minPayment: 10n ** 12n } })

test('made-up payments are verified and settled to the end, and leave no row and no figure', async () => {
  const before = [await rowsOf(), await figuresOf()]
  expect(await startWarmUp({ app: dear(), isBusy: () => false, payments: 40 }).done).toBe(40)
  expect([await rowsOf(), await figuresOf()]).toEqual(before)
})

test('nothing is made up while requests wait, and after the stop', async () => {
  let busy = true
  const warmUp = startWarmUp({ app: harness.app, isBusy: () => busy, payments: 1_000_000 })
  const waited = await Promise.race([warmUp.done, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])
  expect(waited).toBe('waits')
  warmUp.stop()
  expect(await warmUp.done).toBe(0)
  busy = false
})

test('no other key opens it, and no receipt of it is one of the service', async () => {
  const { app } = harness
  const node = await startMadeUpNode()
  const { server, url } = await startMadeUpService(app, node.url)
  const newBody = createMadeUpBodies()
  const settle = (at: string) =>
    fetch(`${at}/settle`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: newBody() })
  expect((await settle(`${new URL(url).origin}/v1/${mintKey().secret}`)).status).toBe(401)
  const { success, extensions } = await (await settle(url)).json()
  expect(success).toBe(true)
  const kids =
    JSON.stringify(extensions)
      .match(/eyJ[\w-]+/g)
      ?.map((part) => Buffer.from(part, 'base64url').toString()) ?? []
  expect(kids.join()).toContain('"kid"')
  for (const { kid } of app.receipts.keys) expect(kids.join()).not.toContain(kid)
  server.closeAllConnections()
  server.close()
  node.close()
})
