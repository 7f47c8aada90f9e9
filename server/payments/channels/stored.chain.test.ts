import { type Hex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import { channelIdOf, createChannelForge, DEPOSIT, PRICE } from '../../../test/support/batch-settlement/channels'
import { keptChannels, rowOf } from '../../../test/support/batch-settlement/kept-channels'
import { newClaimed } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { startHarness } from '../../../test/support/service/harness'
import { keyHolder, newMerchant } from '../../../test/support/service/surface'
import { until } from '../../../test/support/until'
import { appWith } from '../../app'
import { mainAsset } from '../../x402/networks/networks'
import { hex } from '../../x402/schemes/hex'
import { beginRefund, endRefund } from './queries'
import { UNDEPOSITED_MAX } from './stored-queries'

const SECRET = 'the-secret-of-the-channels-of-these-tests'
const harness = fixture(() => startHarness({ production: true, base: true, env: { KYT: 'off', CHANNEL_SECRETS: SECRET } }))
const { abi } = artifact('BatchSettlement')

/** A merchant with a key, whose server keeps its channels here. */
async function newSeller(receiver = privateKeyToAccount(generatePrivateKey()).address) {
  const merchant = await newMerchant(harness.app)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  const forge = createChannelForge(harness.chain, receiver, kept?.address ?? '0x')
  return { ...merchant, forge, receiver, store: keptChannels(harness.app, merchant.key) }
}

type Seller = Awaited<ReturnType<typeof newSeller>>

/** A channel of a new payer, in no chain yet. */
async function newChannel({ forge }: Seller, change = {}) {
  const who = await forge.payer({ balance: 0n, approved: false })
  const config = forge.configOf(who, change)
  return {
    ...who,
    config,
    id: channelIdOf(84532, config),
    row: (of: Omit<Parameters<typeof rowOf>[2], 'chainId'>) => rowOf(config, who.owner, of),
  }
}

/** A channel with a deposit that the service settled, kept with that charge. */
async function newDeposited(seller: Seller, charged: bigint, signed = charged) {
  const who = await seller.forge.payer()
  const { body, config, channelId: id } = await seller.forge.deposit(who)
  const row = (of: Omit<Parameters<typeof rowOf>[2], 'chainId'>) => rowOf(config, who.owner, of)
  expect((await seller.store.put(id, await row({ signed: PRICE, charged: 0n, pendingId: 'a' }), { tag: null })).status).toBe(200)
  expect((await seller.v1.settle(body)).body).toMatchObject({ success: true })
  const stored = await seller.store.put(id, await row({ signed, charged }), { tag: '"1"' })
  expect(stored.status).toBe(200)
  return { ...who, config, id, row, stored: Object(stored.body) }
}

const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')

const claimedOf = async (id: Hex): Promise<bigint> => {
  const state: unknown = await harness.chain.client.readContract({
    address: batchSettlementAddress,
    abi,
    functionName: 'channels',
    args: [id],
  })
  return Object(state)[1]
}

describe('a channel of a merchant is kept here', () => {
  test('with its charge and voucher, and a state that the chain has, not the writer', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    expect((await seller.store.get(id)).status).toBe(404)
    const written = await row({ signed: 1_000n, charged: 0n, pendingId: 'one' })
    const created = await seller.store.put(id, written, { tag: null })
    expect(created).toMatchObject({
      status: 200,
      body: {
        channelId: id,
        chargedCumulativeAmount: '0',
        signedMaxClaimable: '1000',
        signature: written.signature,
        pendingRequest: written.pendingRequest,
        lastRequestTimestamp: written.lastRequestTimestamp,
        balance: '0',
        totalClaimed: '0',
        refundNonce: 0,
        onchainSyncedAt: 0,
      },
    })
    const charged = await seller.store.put(id, await row({ signed: 1_000n, charged: 700n }), { tag: tagOf(created) ?? '' })
    expect(charged).toMatchObject({ status: 200, body: { chargedCumulativeAmount: '700' } })
    expect(Object(charged.body).pendingRequest).toBeUndefined()
    expect(await seller.store.get(id)).toMatchObject({ status: 200, body: charged.body as object })
    expect(await harness.app.db.channelUsage.findMany({ where: { tenantId: seller.tenantId } })).toMatchObject([
      { network: 'eip155:84532', requests: 1n, charged: expect.anything() },
    ])
  })

  test('by the version that its writer read: another one gets the newer row', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row({ signed: 10n, charged: 0n }), { tag: null })
    const late = await seller.store.put(id, await row({ signed: 20n, charged: 0n }), { tag: null })
    expect(late).toMatchObject({ status: 412, body: { channel: { signedMaxClaimable: '10' } } })
    expect(tagOf(late)).toBe('"1"')
    const racing = await Promise.all(
      [20n, 30n, 40n].map(async (signed) => seller.store.put(id, await row({ signed, charged: 5n }), { tag: '"1"' })),
    )
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect(await seller.store.put(id, await row({ signed: 50n, charged: 5n }), { tag: '"9"' })).toMatchObject({ status: 412 })
  })

  test('and a write that is sent again, after a lost answer, was done once', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row({ signed: 10n, charged: 0n }), { tag: null, mutation: 'm1' })
    const again = async () => seller.store.put(id, await row({ signed: 10n, charged: 10n }), { tag: '"1"', mutation: 'm2' })
    const answers = [await again(), await again(), await again()]
    expect(answers.map(({ status, headers }) => [status, headers.get('etag')])).toEqual(Array(3).fill([200, '"2"']))
    // Another server wrote since: the write counts nevertheless as done.
    await seller.store.put(id, await row({ signed: 20n, charged: 10n }), { tag: '"2"' })
    expect(await again()).toMatchObject({ status: 200, body: { chargedCumulativeAmount: '10', signedMaxClaimable: '20' } })
    const [usage] = await harness.app.db.channelUsage.findMany({ where: { tenantId: seller.tenantId } })
    expect([usage?.requests, String(usage?.charged)]).toEqual([1n, '10'])
  })

  test('and the newest write of each of the last sixteen processes is known again', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    const rows = [await row({ signed: 20n, charged: 0n }), await row({ signed: 20n, charged: 10n })] as const
    let version = 0
    const write = async (mutation: string, at: 0 | 1) => {
      const tag = version === 0 ? null : `"${version}"`
      expect(await seller.store.put(id, rows[at], { tag, mutation })).toMatchObject({ status: 200 })
      version++
    }
    await write('a.1', 0)
    await write('a.2', 1)
    const again = (mutation: string) => seller.store.put(id, rows[1], { tag: '"1"', mutation })
    for (let at = 0; at < 40; at++) await write(`b.${at}`, 1)
    for (let at = 0; at < 14; at++) await write(`other-${at}`, 1)
    expect(await again('a.2')).toMatchObject({ status: 200, body: { chargedCumulativeAmount: '10' } })
    expect(tagOf(await again('a.2'))).toBe(`"${version}"`)
    // What a process wrote before is answered already.
    expect((await again('a.1')).status).toBe(412)
    await write('one-more', 1)
    expect((await again('a.2')).status).toBe(412)
    expect((await again('b.39')).status).toBe(200)
  })

  test('page by page, those of this key and network only', async () => {
    const [seller, other] = [await newSeller(), await newSeller()]
    const ids: Hex[] = []
    for (let at = 0; at < 3; at++) {
      const { id, row } = await newChannel(seller)
      await seller.store.put(id, await row({ signed: 1n, charged: 0n }), { tag: null })
      ids.push(id)
    }
    const page = await seller.store.list({ limit: 2 })
    const rest = await seller.store.list({ limit: 2, cursor: Object(page.body).cursor })
    const listed = [...Object(page.body).channels, ...Object(rest.body).channels]
    expect(listed.map(({ channelId }) => channelId)).toEqual(ids.sort())
    expect(rest.body).toMatchObject({ cursor: '' })
    expect(await other.store.list()).toMatchObject({ body: { channels: [] } })
    expect(await keptChannels(harness.app, seller.key, 'eip155:8453').list()).toMatchObject({ body: { channels: [] } })
  })

  test('and on another network it is another channel, of a token there', async () => {
    const seller = await newSeller()
    const { config, owner, row } = await newChannel(seller)
    const onBase = keptChannels(harness.app, seller.key, 'eip155:8453')
    const wrong = await row({ signed: 10n, charged: 0n })
    expect(await onBase.put(wrong.channelId, wrong, { tag: null })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/channelId/) },
    })
    const there = { ...config, token: hex(mainAsset('eip155:8453').address) }
    const right = await rowOf(there, owner, { signed: 10n, charged: 0n, chainId: 8453 })
    expect(await onBase.put(right.channelId, right, { tag: null })).toMatchObject({ status: 200 })
    expect((await seller.store.get(right.channelId)).status).toBe(404)
  })
})

describe('refused, with nothing written, is', () => {
  const good = { signed: 1_000n, charged: 500n }

  test.each<[string, (seller: Seller) => Promise<{ status: number; said: RegExp; id: Hex; row: object }>]>([
    [
      'an id that is not that of the config',
      async (seller) => {
        const [{ row }, other] = [await newChannel(seller), await newChannel(seller)]
        return { status: 400, said: /channelId/, id: other.id, row: { ...(await row(good)), channelId: other.id } }
      },
    ],
    [
      "another tenant's authorizer",
      async (seller) => {
        const { id, row } = await newChannel(await newSeller(seller.receiver))
        return { status: 403, said: /receiverAuthorizer/, id, row: await row(good) }
      },
    ],
    [
      'a voucher that somebody else signed',
      async (seller) => {
        const { id, config } = await newChannel(seller)
        const row = await rowOf(config, privateKeyToAccount(generatePrivateKey()), good)
        return { status: 400, said: /signature/, id, row }
      },
    ],
    [
      "a voucher of the payer's key where a wallet's code decides",
      async (seller) => {
        const wallet = await seller.forge.payer({ wallet: true, balance: 0n, approved: false })
        const config = seller.forge.configOf(wallet, { payerAuthorizer: zeroAddress })
        const row = await rowOf(config, privateKeyToAccount(generatePrivateKey()), good)
        return { status: 400, said: /signature/, id: row.channelId, row }
      },
    ],
    ...(
      [
        ['a withdraw delay that the contract refuses', { withdrawDelay: 3_000_000_000 }, /withdrawDelay/],
        ['a token that is not settled here', { token: privateKeyToAccount(generatePrivateKey()).address }, /token/],
      ] as const
    ).map(([name, odd, said]): [string, (seller: Seller) => Promise<{ status: number; said: RegExp; id: Hex; row: object }>] => [
      name,
      async (seller) => {
        const owner = await seller.forge.payer()
        const row = await rowOf(seller.forge.configOf(owner, odd), owner.owner, good)
        return { status: 400, said, id: row.channelId, row }
      },
    ]),
    [
      'a charge above its voucher',
      async (seller) => {
        const { id, row } = await newChannel(seller)
        return { status: 400, said: /chargedCumulativeAmount/, id, row: await row({ signed: 10n, charged: 11n }) }
      },
    ],
    [
      'an amount of other text than digits',
      async (seller) => {
        const { id, row } = await newChannel(seller)
        return { status: 400, said: /chargedCumulativeAmount/, id, row: { ...(await row(good)), chargedCumulativeAmount: '0x1' } }
      },
    ],
  ])('%s', async (_, make) => {
    const seller = await newSeller()
    const { status, said, id, row } = await make(seller)
    const answer = await seller.store.put(id, row, { tag: null })
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(said) } })
    expect(await harness.app.db.channel.count({ where: { tenantId: seller.tenantId } })).toBe(0)
  })

  test('a charge that falls', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row({ signed: 100n, charged: 100n }), { tag: null })
    expect(await seller.store.put(id, await row({ signed: 200n, charged: 99n }), { tag: '"1"' })).toMatchObject({ status: 409 })
    expect(await seller.store.get(id)).toMatchObject({ body: { chargedCumulativeAmount: '100', signedMaxClaimable: '100' } })
  })

  test('a write without a condition or a name', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    expect(await seller.store.put(id, await row(good), {})).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/If-Match/) },
    })
    expect(await seller.store.put(id, await row(good), { tag: null, mutation: ' ' })).toMatchObject({ status: 400 })
    expect((await seller.store.remove(id, { tag: null })).status).toBe(400)
  })

  test('one channel more without a deposit than a key may have', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, row } = await newChannel(seller)
    await db.execute`INSERT INTO "Channel" ("network", "id", "tenantId", "config", "payer", "receiver", "token", "stored")
      SELECT 'eip155:84532', 'full ' || ${seller.tenantId} || n, ${seller.tenantId}::uuid, '{}', '', '', '', true
      FROM generate_series(1, ${UNDEPOSITED_MAX}::int) n`
    expect(await seller.store.put(id, await row(good), { tag: null })).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/deposit/) },
    })
    await db.execute`UPDATE "Channel" SET "balance" = 1 WHERE "id" = 'full ' || ${seller.tenantId} || 1`
    expect(await seller.store.put(id, await row(good), { tag: null })).toMatchObject({ status: 200 })
  })

  test('unless its server deleted some: those give way at once, but for one whose deposit is on its way', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, row } = await newChannel(seller)
    const payer = `deposits for ${seller.tenantId}`
    await newClaimed(db, { kind: 'deposit', payer, tenantId: seller.tenantId, caller: seller.tenantId })
    await db.execute`INSERT INTO "Channel" ("network", "id", "tenantId", "config", "payer", "receiver", "token", "stored", "deletedAt", "createdAt")
      SELECT 'eip155:84532', 'deleted ' || ${seller.tenantId} || n, ${seller.tenantId}::uuid, '{}', CASE n WHEN 2 THEN ${payer} ELSE '' END, '', '',
        true, CASE n WHEN 1 THEN NULL ELSE now() END, now() - CASE n WHEN 2 THEN interval '1 minute' ELSE '0' END
      FROM generate_series(1, ${UNDEPOSITED_MAX}::int) n`
    expect(await seller.store.put(id, await row(good), { tag: null })).toMatchObject({ status: 200 })
    for (const kept of [1, 2]) expect(await db.channel.count({ where: { id: `deleted ${seller.tenantId}${kept}` } })).toBe(1)
  })

  test('unless some waited two minutes for a deposit: those are deleted, with their charge', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, row } = await newChannel(seller)
    await db.execute`INSERT INTO "Channel" ("network", "id", "tenantId", "config", "payer", "receiver", "token", "stored", "signed", "charged", "balance", "createdAt")
      SELECT 'eip155:84532', 'old ' || ${seller.tenantId} || n, ${seller.tenantId}::uuid, '{}', '', '', '', true, 9, 9,
        CASE n WHEN 1 THEN 9 ELSE 0 END, now() - interval '3 minutes'
      FROM generate_series(1, ${UNDEPOSITED_MAX + 1}::int) n`
    expect(await seller.store.put(id, await row(good), { tag: null })).toMatchObject({ status: 200 })
    expect(await db.channel.count({ where: { tenantId: seller.tenantId } })).toBe(UNDEPOSITED_MAX + 2 - UNDEPOSITED_MAX / 10)
    expect(await db.channel.count({ where: { id: `old ${seller.tenantId}1` } })).toBe(1)
  })

  test('a higher voucher while a refund is on its way; what was vouched before can still be charged', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, row, config, owner } = await newDeposited(seller, 700n, PRICE)
    const mark = await beginRefund(db, 'eip155:84532', id, 60_000)
    const shown = await seller.store.get(id)
    expect(shown.body).toMatchObject({ balance: '700', chargedCumulativeAmount: '700', onchainSyncedAt: 0 })
    const higher = await row({ signed: 2n * PRICE, charged: 700n, pendingId: 'b' })
    expect(await seller.store.put(id, higher, { tag: '"2"' })).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/refund/) },
    })
    const again = await row({ signed: PRICE, charged: 700n, pendingId: 'c' })
    expect(await seller.store.put(id, again, { tag: '"2"' })).toMatchObject({ status: 409 })
    const voucher = await seller.forge.voucher(config, owner, 2n * PRICE)
    expect((await seller.v1.verify(voucher)).body).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
      invalidMessage: expect.stringContaining('refund'),
    })
    expect(await seller.store.put(id, await row({ signed: PRICE, charged: PRICE }), { tag: '"2"' })).toMatchObject({
      status: 200,
    })
    // One that began before ends nothing of a later one.
    const later = await beginRefund(db, 'eip155:84532', id, 60_000)
    if (mark) await endRefund(db, 'eip155:84532', id, mark)
    expect((await seller.v1.verify(voucher)).body).toMatchObject({ isValid: false })
    if (later) await endRefund(db, 'eip155:84532', id, later)
    expect((await seller.v1.verify(voucher)).body).toMatchObject({ isValid: true })
    expect(await seller.store.put(id, await row({ signed: 2n * PRICE, charged: PRICE }), { tag: '"3"' })).toMatchObject({
      status: 200,
    })
  })

  test('and a refund that fails, or lands, ends that', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, config, owner } = await newDeposited(seller, 700n, PRICE)
    const where = { network_id: { network: 'eip155:84532', id } }
    const isOpen = async () => (await db.channel.findUniqueOrThrow({ where })).refundingUntil === null
    const refund = async (nonce: bigint) =>
      (await seller.v1.settle(await seller.forge.refund(config, owner, PRICE, { amount: DEPOSIT, nonce }))).body
    expect(await refund(9n)).toMatchObject({ success: false })
    expect(await isOpen()).toBe(true)
    expect(await refund(0n)).toMatchObject({ success: true })
    await until(isOpen, 'the refund to be seen')
  })

  test('and a refund during whose judgement more was charged is not sent: it would leave that unclaimed', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, config, owner } = await newDeposited(seller, 700n, PRICE)
    const where = { network_id: { network: 'eip155:84532', id } }
    // The judgement asks for a verdict of its parties after it read the charge.
    const { production } = harness.app.screening
    const screen: typeof production.screen = async (...parties) => {
      await db.channel.update({ where, data: { charged: '701' } })
      return production.screen(...parties)
    }
    const slow = keyHolder(
      appWith(harness.app, { screening: { ...harness.app.screening, production: { ...production, screen } } }),
      seller.key,
    )
    const asked = await seller.forge.refund(config, owner, PRICE, { amount: DEPOSIT })
    expect(await slow.v1.settle(asked)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('more was charged') },
    })
    expect(await db.channel.findUniqueOrThrow({ where })).toMatchObject({ refundingUntil: null })
    expect((await seller.v1.settle(asked)).body).toMatchObject({ success: true, amount: String(DEPOSIT - 701n) })
  })

  test("another tenant's channel: it is not there", async () => {
    const [seller, other] = [await newSeller(), await newSeller()]
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row(good), { tag: null })
    expect((await other.store.get(id)).status).toBe(404)
    expect((await other.store.put(id, await row(good), { tag: '"1"' })).status).toBe(403)
    expect((await other.store.remove(id, { tag: '"1"' })).status).toBe(404)
    expect((await seller.store.get(id)).status).toBe(200)
  })
})

describe('a deleted channel', () => {
  test('that was never charged is gone, and can begin anew', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    const first = await row({ signed: 10n, charged: 0n, pendingId: 'a' })
    await seller.store.put(id, first, { tag: null })
    expect(await seller.store.remove(id, { tag: '"9"' })).toMatchObject({ status: 412, body: { channel: { channelId: id } } })
    expect(await seller.store.remove(id, { tag: '"1"' })).toMatchObject({ status: 200, body: { deleted: true, unclaimed: '0' } })
    expect((await seller.store.remove(id, { tag: '"1"' })).status).toBe(404)
    expect((await seller.store.get(id)).status).toBe(404)
    expect(await seller.store.list()).toMatchObject({ body: { channels: [] } })
    expect(await seller.store.put(id, first, { tag: '"1"' })).toMatchObject({ status: 412, body: { channel: null } })
    expect((await seller.store.put(id, first, { tag: null })).status).toBe(200)
    expect((await seller.store.get(id)).status).toBe(200)
  })

  test('that begins anew with a charge of elsewhere counts none of it, and waits for its deposit as a new one', async () => {
    const seller = await newSeller()
    const { db } = harness.app
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row({ signed: 10n, charged: 0n, pendingId: 'a' }), { tag: null })
    await seller.store.remove(id, { tag: '"1"' })
    await db.channel.updateMany({ where: { id }, data: { createdAt: new Date(0) } })
    expect((await seller.store.put(id, await row({ signed: 1_010n, charged: 1_000n }), { tag: null })).status).toBe(200)
    expect(await db.channelUsage.count({ where: { tenantId: seller.tenantId } })).toBe(0)
    const [anew] = await db.channel.findMany({ where: { id } })
    expect(anew).toMatchObject({ requests: null })
    expect(Date.now() - (anew?.createdAt.getTime() ?? 0)).toBeLessThan(60_000)
  })

  test('whose charge no deposit covers is forgotten, and can begin anew without it', async () => {
    const seller = await newSeller()
    const { id, row } = await newChannel(seller)
    await seller.store.put(id, await row({ signed: 10n, charged: 10n }), { tag: null })
    expect(await seller.store.remove(id, { tag: '"1"' })).toMatchObject({ status: 200 })
    expect((await seller.store.put(id, await row({ signed: 10n, charged: 0n }), { tag: null })).status).toBe(200)
  })

  test('keeps what a deposit pays for that comes after it', async () => {
    const seller = await newSeller()
    await harness.app.db.tenant.update({ where: { id: seller.tenantId }, data: { claimAbove: '1' } })
    const who = await seller.forge.payer()
    const { body, config, channelId: id } = await seller.forge.deposit(who, { requirements: { amount: '700' } })
    const reserved = await rowOf(config, who.owner, { signed: PRICE, charged: 0n, pendingId: 'a' })
    expect((await seller.store.put(id, reserved, { tag: null })).status).toBe(200)
    expect((await seller.store.remove(id, { tag: '"1"' })).status).toBe(200)
    expect((await seller.v1.settle(body)).body).toMatchObject({ success: true })
    expect(await harness.app.db.channel.findMany({ where: { id } })).toMatchObject([
      { stored: true, deletedAt: expect.any(Date) },
    ])
    await until(async () => (await claimedOf(id)) === 700n, 'the claim')
  })

  test('keeps its charge until it is claimed, and a server that begins anew learns it', async () => {
    const seller = await newSeller()
    const { id, row } = await newDeposited(seller, 800n, 1_000n)
    const removed = () => seller.store.remove(id, { tag: '"2"', mutation: 'gone' })
    expect(await removed()).toMatchObject({ status: 200, body: { unclaimed: '800' } })
    expect(await removed()).toMatchObject({ status: 200 })
    expect((await seller.store.get(id)).status).toBe(404)
    expect(await seller.store.list()).toMatchObject({ body: { channels: [] } })
    expect(await harness.app.db.channel.findMany({ where: { id } })).toMatchObject([{ signature: expect.stringMatching(/^0x/) }])
    const anew = await seller.store.put(id, await row({ signed: 100n, charged: 0n }), { tag: null })
    expect(anew).toMatchObject({ status: 412, body: { channel: { chargedCumulativeAmount: '800' } } })
    const known = await seller.store.put(id, await row({ signed: 1_100n, charged: 800n }), { tag: tagOf(anew) ?? '' })
    expect(known).toMatchObject({ status: 200 })
    expect((await seller.store.get(id)).status).toBe(200)
  })
})

describe('what is kept here decides', () => {
  test('the state that a server counts on: that of the chain after deposit, verify and refund', async () => {
    const seller = await newSeller()
    const { id, row, config, owner, stored } = await newDeposited(seller, 300n, PRICE)
    expect(stored).toMatchObject({ balance: String(DEPOSIT), totalClaimed: '0', refundNonce: 0 })
    expect(stored.onchainSyncedAt).toBeGreaterThan(Date.now() - 60_000)
    const body = await seller.forge.refund(config, owner, 300n, { amount: 1_000n })
    expect((await seller.v1.settle(body)).body).toMatchObject({ success: true })
    const isRefunded = async () => Object((await seller.store.get(id)).body).refundNonce === 1
    await until(isRefunded, 'the refund to be seen')
    expect(await seller.store.get(id)).toMatchObject({ body: { balance: String(DEPOSIT - 1_000n), totalClaimed: '300' } })
    expect((await seller.store.put(id, await row({ signed: 400n, charged: 400n }), { tag: '"2"' })).status).toBe(200)
  })

  test('the newest voucher: an older one that is verified does not replace it', async () => {
    const seller = await newSeller()
    const { id, config, owner } = await newDeposited(seller, 2_000n)
    const older = await seller.forge.voucher(config, owner, 1_500n)
    expect((await seller.v1.verify(older)).body).toMatchObject({ isValid: true })
    expect(await seller.store.get(id)).toMatchObject({ body: { signedMaxClaimable: '2000', chargedCumulativeAmount: '2000' } })
  })

  test('a voucher within what the chain said lately; any other one asks the chain', async () => {
    const seller = await newSeller()
    const { id, config, owner } = await newDeposited(seller, 2_000n)
    const verified = async (signed: bigint) => (await seller.v1.verify(await seller.forge.voucher(config, owner, signed))).body
    const balance = (amount: bigint) => ({ isValid: true, extra: { balance: String(amount) } })
    const note = (amount: bigint, syncedAt: Date) =>
      harness.app.db.channel.update({
        where: { network_id: { network: 'eip155:84532', id } },
        data: { balance: String(amount), syncedAt },
      })
    // The chain has another balance, so the answer shows which of the two was read.
    await note(DEPOSIT - 1n, new Date())
    expect(await verified(2_500n)).toMatchObject(balance(DEPOSIT - 1n))
    expect(await verified(DEPOSIT)).toMatchObject(balance(DEPOSIT))
    expect(await verified(DEPOSIT + 1n)).toMatchObject({ isValid: false })
    await note(DEPOSIT - 1n, new Date(Date.now() - 31_000))
    expect(await verified(2_500n)).toMatchObject(balance(DEPOSIT))
  })

  test('what a refund claims first: the whole charge, whatever was sent along', async () => {
    const seller = await newSeller()
    const { id, config, owner } = await newDeposited(seller, 2_500n, 3_000n)
    // The payer's own wish: everything back, with no claim before it.
    const body = await seller.forge.refund(config, owner, 0n, { amount: DEPOSIT })
    expect((await seller.v1.settle(body)).body).toMatchObject({ success: true, amount: String(DEPOSIT - 2_500n) })
    expect(await claimedOf(id)).toBe(2_500n)
  })

  test('whether a refund waits: not while a request is served whose charge is not known', async () => {
    const seller = await newSeller()
    const { id, config, owner, row } = await newDeposited(seller, 500n, PRICE)
    await seller.store.put(id, await row({ signed: 1_500n, charged: 500n, pendingId: 'serving' }), { tag: '"2"' })
    const body = await seller.forge.refund(config, owner, 500n, { amount: 1n })
    expect((await seller.v1.settle(body)).body).toMatchObject({
      success: false,
      errorMessage: expect.stringMatching(/being served/),
    })
    await seller.store.put(id, await row({ signed: 1_500n, charged: 900n }), { tag: '"3"' })
    expect((await seller.v1.settle(body)).body).toMatchObject({ success: true })
    expect(await claimedOf(id)).toBe(900n)
  })

  test('how much is claimed: never more than was charged', async () => {
    const seller = await newSeller()
    const { id, config, owner } = await newDeposited(seller, 2_000n, 9_000n)
    const claim = seller.forge.claims([await seller.forge.row(config, owner, 9_000n)])
    expect((await seller.v1.settle(claim)).body).toMatchObject({
      success: true,
      amount: '2000',
      extra: { leftOut: [{ channelId: id, error: 'ClaimExceedsCharged', claimed: '2000' }] },
    })
    expect(await claimedOf(id)).toBe(2_000n)
    await until(async () => Object((await seller.store.get(id)).body).totalClaimed === '2000', 'the claim to be seen')
  })
})
