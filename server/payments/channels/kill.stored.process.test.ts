import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import type { Chain } from '../../../devnet/chain'
import { batchSettlementAddress } from '../../../devnet/networks'
import { channelIn, newBuyer } from '../../../test/interop/channel-traffic'
import { PRICE } from '../../../test/interop/stream'
import { type StreamMerchant, startStreamMerchant } from '../../../test/interop/stream-merchant-process'
import { startKillSetup } from '../../../test/money/kill/kills'
import { type Random, randomOf } from '../../../test/money/simulation/random'
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

describe('of two processes of a merchant with the official server one is killed', () => {
  /** What a payer with the official client got of both, until it has so many answers and the first is dead. `lost`: requests without an answer. */
  async function shop(chain: Chain, merchants: readonly [StreamMerchant, StreamMerchant], random: Random, answers: number) {
    const buyer = await newBuyer(chain)
    const bought = { answered: 0, lost: 0, channelId: '' }
    const buyOne = async () => {
      const up = merchants.filter((one) => one.isUp())
      const answer = await buyer.buy(random.pick(up).url).catch(() => null)
      if (answer === null) bought.lost++
      if (answer?.status !== 200) return false
      bought.channelId = channelIn(answer.receipt)
      return ++bought.answered >= answers && !merchants[0].isUp()
    }
    await until(buyOne, 'the answers', 90_000, 50)
    return bought
  }

  test.each([
    { seed: 1, moment: 'served' },
    { seed: 2, moment: 'charged' },
    { seed: 3, moment: 'charging' },
    { seed: 4, moment: 'served' },
    { seed: 5, moment: 'charged' },
  ] as const)(
    'when an answer is $moment (seed $seed): the other goes on, and what is charged is claimed',
    async ({ seed, moment }) => {
      const { chain, database } = setup
      const random = randomOf(`merchants ${seed}`)
      const { db } = database
      const tenantId = await newTenantOf(db)
      const { secret, ...key } = mintKey()
      await db.apiKey.create({ data: { ...key, hash: Buffer.from(key.hash), tenantId } })
      const service = await start()
      const receiver = privateKeyToAccount(generatePrivateKey()).address
      const settings = { url: `${service.url}/v1/${secret}`, receiver, usdc: chain.usdc }
      const death = { moment, request: random.whole(2, 6) }
      const merchants = await Promise.all([
        startStreamMerchant({ ...settings, death }),
        startStreamMerchant({ ...settings, death: null }),
      ])
      const [doomed, other] = merchants
      try {
        const bought = await Promise.all(
          ['a', 'b'].map((name) => shop(chain, merchants, random.stream(name), random.whole(8, 12))),
        )
        expect(await doomed.gone).toEqual([null, 'SIGKILL'])
        const rows = await db.channel.findMany({ where: { tenantId } })
        const charges = new Map(
          rows.map(({ id, charged, signed }) => [id, { charged: BigInt(charged.toFixed()), signed }] as const),
        )
        const total = [...charges.values()].reduce((sum, { charged }) => sum + charged, 0n)
        const answered = BigInt(bought.reduce((sum, one) => sum + one.answered, 0))
        const lost = bought.reduce((sum, one) => sum + one.lost, 0)
        // Both payers may have waited for the killed process. Only what it wrote is charged beside the answers.
        const unanswered = Number(total / PRICE - answered)
        expect([total % PRICE, lost > 0]).toEqual([0n, true])
        expect(unanswered).toBeGreaterThanOrEqual(moment === 'charged' ? 1 : 0)
        expect(unanswered).toBeLessThanOrEqual(moment === 'served' ? lost - 1 : lost)
        for (const { charged, signed } of charges.values()) expect(charged <= BigInt(signed.toFixed())).toBe(true)
        await db.tenant.update({ where: { id: tenantId }, data: { claimAbove: '1' } })
        const { abi } = artifact('BatchSettlement')
        const claimedOf = async (id: string) => {
          const read = { address: batchSettlementAddress, abi, functionName: 'channels', args: [id] } as const
          const state: unknown = await chain.client.readContract(read)
          return Array.isArray(state) ? BigInt(state[1]) : 0n
        }
        const isClaimed = async () => {
          const claimed = await Promise.all([...charges.keys()].map(claimedOf))
          return claimed.reduce((sum, one) => sum + one, 0n) === total
        }
        await until(isClaimed, 'the claims', 60_000, 250)
        await until(async () => (await chain.tokens(receiver)) === total, 'the payment', 60_000, 250)
        for (const [id, { charged }] of charges) expect(await claimedOf(id)).toBe(charged)
        expect(other.isUp()).toBe(true)
      } finally {
        await Promise.all(merchants.map((one) => one.kill()))
      }
    },
  )
})
