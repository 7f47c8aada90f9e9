import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { startKillSetup } from '../../../test/money/kill/kills'
import { createChannelForge } from '../../../test/support/batch-settlement/channels'
import { rowOf } from '../../../test/support/batch-settlement/kept-channels'
import { fundedKey } from '../../../test/support/chain/funded-key'
import { newTenantOf } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import type { ServiceProcess } from '../../../test/support/service/process'
import { until } from '../../../test/support/until'
import { mintKey } from '../../accounts/keyring'
import { createAuthorizers } from './authorizers'

const SECRET = 'the-secret-of-the-channels-of-these-tests'
const setup = fixture(() => startKillSetup({ CHANNEL_SECRETS: SECRET, KYT: 'off' }))
afterEach(() => setup.clear())

/** A merchant with a key, and a new channel of it. */
async function newChannel() {
  const { db } = setup.database
  const tenantId = await newTenantOf(db)
  const { secret, ...key } = mintKey()
  await db.apiKey.create({ data: { ...key, hash: Buffer.from(key.hash), tenantId } })
  const authorizer = createAuthorizers([SECRET]).newest({ tenantId, key: { id: key.id, version: 0 } })
  const owner = privateKeyToAccount(generatePrivateKey())
  const forge = createChannelForge(setup.chain, privateKeyToAccount(generatePrivateKey()).address, authorizer?.address ?? '0x')
  const config = forge.configOf({ owner, from: owner.address })
  const row = (of: { signed: bigint; charged: bigint }) => rowOf(config, owner, of)
  const { channelId } = await row({ signed: 0n, charged: 0n })
  const put = async (
    service: ServiceProcess,
    body: object,
    condition: Record<string, string>,
    mutation: string = randomUUID(),
  ) => {
    const response = await fetch(`${service.url}/v1/${secret}/channels/eip155:84532/${channelId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'idempotency-key': mutation, ...condition },
      body: JSON.stringify(body),
    })
    return { status: response.status, tag: response.headers.get('etag') }
  }
  return { tenantId, channelId, row, put }
}

const start = async () => setup.start({ EVM_SIGNER_KEYS: await fundedKey(setup.chain) })

test('a service killed when it had written a charge and not answered: the same write, sent again, is known and charges once', async () => {
  const { db } = setup.database
  const { tenantId, channelId, row, put } = await newChannel()
  const doomed = await start()
  expect(await put(doomed, await row({ signed: 10n, charged: 0n }), { 'if-none-match': '*' })).toEqual({
    status: 200,
    tag: '"1"',
  })
  const charge = await row({ signed: 10n, charged: 7n })
  // The write waits for this lock; PostgreSQL finishes it when nobody waits for its answer any more.
  const lost = await db.transaction(
    async ({ query }) => {
      await query`SELECT 1 FROM "Channel" WHERE "id" = ${channelId} FOR UPDATE`
      const sent = put(doomed, charge, { 'if-match': '"1"' }, 'the-charge').catch(() => 'no answer')
      const blocked = async () => {
        const [waiting] = await db.query<{ count: bigint }>`
          SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND a.datname = current_database()`
        return waiting?.count === 1n
      }
      await until(blocked, 'the write to wait')
      await doomed.kill('SIGKILL')
      return sent
    },
    { timeoutMs: 60_000 },
  )
  expect(lost).toBe('no answer')
  const written = async () => (await db.channel.findFirstOrThrow({ where: { id: channelId } })).version
  await until(async () => (await written()) === 2n, 'the write to be done')

  const service = await start()
  expect(await put(service, charge, { 'if-match': '"1"' }, 'the-charge')).toEqual({ status: 200, tag: '"2"' })
  const [used] = await db.channelUsage.findMany({ where: { tenantId } })
  expect([used?.requests, String(used?.charged)]).toEqual([1n, '7'])
})

test('a service killed before it wrote: the same write, sent again, is done', async () => {
  const { tenantId, channelId, row, put } = await newChannel()
  const doomed = await start()
  const created = await row({ signed: 10n, charged: 0n })
  await put(doomed, created, { 'if-none-match': '*' })
  const charge = await row({ signed: 10n, charged: 7n })
  await doomed.kill('SIGKILL')
  await expect(put(doomed, charge, { 'if-match': '"1"' }, 'the-charge')).rejects.toThrow()
  const service = await start()
  expect(await put(service, charge, { 'if-match': '"1"' }, 'the-charge')).toEqual({ status: 200, tag: '"2"' })
  expect(await setup.database.db.channel.findFirst({ where: { id: channelId } })).toMatchObject({ version: 2n })
  expect(await setup.database.db.channelUsage.count({ where: { tenantId } })).toBe(1)
})
