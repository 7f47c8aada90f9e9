import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { dataOf, merchant, pagesOf, wallet } from '../../../test/support/service/dashboard'
import { newOwner, startReading, tenantOf } from '../../../test/support/service/history'
import { mainAsset } from '../../x402/networks/networks'
import { hex } from '../../x402/schemes/hex'
import { keepChannels } from './queries'
import { writeStored } from './stored-queries'

const harness = fixture(startReading)

const NETWORK = 'eip155:84532'
const newId = () => `0x${randomBytes(32).toString('hex')}`
const newAddress = () => `0x${randomBytes(20).toString('hex')}`

type Change = {
  network?: 'eip155:8453' | 'eip155:84532'
  payer?: string
  balance?: string
  signed?: string
  charged?: string
  claimed?: string
  withdrawAt?: Date
  createdAt?: Date
  stored?: boolean
  deletedAt?: Date
  owedSince?: Date
  withdrawDelay?: number
}

/** A channel of a tenant: deposited 1000, nothing charged, unless changed. */
async function newChannel(tenantId: string, { owedSince, withdrawDelay = 900, ...change }: Change = {}) {
  const { network = NETWORK, payer = newAddress() } = change
  const [receiver, id] = [newAddress(), newId()]
  const { address: token } = mainAsset(network)
  const parties = { payer, payerAuthorizer: payer, receiver, receiverAuthorizer: newAddress(), token }
  const config = { ...parties, withdrawDelay, salt: newId() }
  const data = { network, id, tenantId, config, payer, receiver, token, balance: '1000', syncedBlock: 7n, ...change }
  await harness.app.db.channel.create({ data })
  if (owedSince) await harness.app.db.channel.update({ where: { network_id: { network, id } }, data: { owedSince } })
  return { network, id, payer, receiver }
}

type Row = { id: string; state: string; atRisk: string; claimBy: string | null; withdrawBy: string | null; keyId: string }
type Page = { channels: Row[]; next: string | null }

async function seller() {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId)
  const pages = await pagesOf(harness.app, merchant(ownerId))
  const list = async (input: object = {}) =>
    dataOf<Page>(await pages.query('merchant.channels', { environment: 'testnet', ...input }))
  return { ownerId, tenantId, pages, list, ids: async (input?: object) => (await list(input)).channels.map(({ id }) => id) }
}

test("a merchant sees the channels of its keys, and no other's, by state, network and payer", async () => {
  const { tenantId, list, ids } = await seller()
  const other = await seller()
  const foreign = await newChannel(other.tenantId)
  const open = await newChannel(tenantId, { signed: '500', charged: '300', claimed: '100', createdAt: new Date(3_000) })
  const leaving = await newChannel(tenantId, { withdrawAt: new Date(60_000), createdAt: new Date(2_000) })
  const closed = await newChannel(tenantId, { charged: '1000', claimed: '1000', signed: '1000', createdAt: new Date(1_000) })
  const live = await newChannel(tenantId, { network: 'eip155:8453' })

  expect(await ids()).toEqual([open.id, leaving.id, closed.id])
  expect(await other.ids()).toEqual([foreign.id])
  const { channels } = await list()
  expect(channels.map(({ state, atRisk }) => [state, atRisk])).toEqual([
    ['open', '200'],
    ['withdrawing', '0'],
    ['closed', '0'],
  ])
  expect(channels[1]?.withdrawBy).toBe(new Date(960_000).toISOString())
  for (const [state, one] of Object.entries({ open, withdrawing: leaving, closed }))
    expect(await ids({ state })).toEqual([one.id])
  for (const payer of [leaving.payer, leaving.payer.toUpperCase().slice(0, 12), ` ${leaving.payer}`]) {
    expect(await ids({ payer })).toEqual([leaving.id])
  }
  expect(await ids({ payer: 'somebody' })).toEqual([])
  expect(await ids({ network: ['eip155:8453'] })).toEqual([])
  expect(await ids({ environment: 'mainnet' })).toEqual([live.id])
})

test('pages follow each other without a gap or a repeat, newest first', async () => {
  const { tenantId, list } = await seller()
  const made = await Promise.all(
    Array.from({ length: 52 }, (_, at) => newChannel(tenantId, { createdAt: new Date(1_000_000 + Math.floor(at / 2)) })),
  )
  const first = await list()
  const second = await list({ cursor: first.next })
  const seen = [...first.channels, ...second.channels].map(({ id }) => id)
  expect([first.channels.length, second.channels.length, second.next]).toEqual([50, 2, null])
  expect(new Set(seen)).toEqual(new Set(made.map(({ id }) => id)))
})

test('a channel whose vouchers are kept here names when we claim at the latest; another one does not', async () => {
  const { tenantId, list } = await seller()
  const owed = { signed: '900', charged: '900', owedSince: new Date('2026-11-27T10:00:00Z') }
  await newChannel(tenantId, { ...owed, stored: true, createdAt: new Date(2_000) })
  await newChannel(tenantId, { ...owed, createdAt: new Date(1_000) })
  // A third of its delay of 900 seconds.
  expect((await list()).channels.map(({ claimBy }) => claimBy)).toEqual(['2026-11-27T10:05:00.000Z', null])
})

test('a channel that its server deleted is listed if it ever had a deposit', async () => {
  const { tenantId, ids } = await seller()
  const deleted = { stored: true, deletedAt: new Date() }
  const deposited = await newChannel(tenantId, deleted)
  await newChannel(tenantId, { ...deleted, balance: '0' })
  expect(await ids()).toEqual([deposited.id])
})

test('sums are per token, and what vouchers were charged is apart from them', async () => {
  const { tenantId, pages } = await seller()
  await newChannel(tenantId, { signed: '500', charged: '300', claimed: '100' })
  await newChannel(tenantId, { signed: '70', charged: '70' })
  const usage = { tenantId, day: harness.app.now(), network: NETWORK, token: mainAsset(NETWORK).address }
  await harness.app.db.channelUsage.create({ data: { ...usage, requests: 12n, charged: '370' } })
  const found = dataOf<{ sums: object[]; usage: object[] }>(await pages.query('merchant.channelSums', { environment: 'testnet' }))
  expect(found).toMatchObject({
    sums: [{ network: NETWORK, channels: 2, balance: '2000', charged: '370', claimed: '100', atRisk: '270' }],
    usage: [{ network: NETWORK, requests: '12', charged: '370', asset: { symbol: 'USDC', decimals: 6 } }],
  })
  // It is not kept per channel, so beside some of the channels it would be that of all.
  for (const some of [{ payer: '0x' }, { state: 'open' }]) {
    const narrowed = await pages.query('merchant.channelSums', { environment: 'testnet', ...some })
    expect(dataOf(narrowed)).toMatchObject({ sums: [{ channels: 2 }], usage: [] })
  }
})

test('the details of a channel are for its merchant only; a wallet sees the channels that it paid into', async () => {
  const { tenantId, pages } = await seller()
  const payer = newAddress()
  const { network, id } = await newChannel(tenantId, { payer })
  // Any merchant can name a payer that never paid it.
  await newChannel(tenantId, { payer, balance: '0' })
  const own = dataOf<{ channel: Row; claims: object[] }>(await pages.query('merchant.channel', { network, id }))
  expect(own).toMatchObject({ channel: { id, keyId: tenantId }, claims: [] })
  const other = await seller()
  expect(dataOf(await other.pages.query('merchant.channel', { network, id }))).toBeNull()
  const [payers, strangers] = [await pagesOf(harness.app, wallet(payer)), await pagesOf(harness.app, wallet(newAddress()))]
  const seenBy = async (asking: typeof payers) =>
    dataOf<Page>(await asking.query('wallet.channels', { environment: 'testnet' })).channels
  const [shown, ...more] = await seenBy(payers)
  expect([shown?.id, more, await seenBy(strangers)]).toEqual([id, [], []])
  for (const name of ['keyId', 'keyName', 'charged', 'requests', 'atRisk', 'claimBy', 'stored', 'unclaimable', 'usedAt'])
    expect(shown).not.toHaveProperty(name)
})

test('a channel with a delay of a hundred years is listed beside others', async () => {
  const { tenantId, ids } = await seller()
  const long = await newChannel(tenantId, { withdrawDelay: 3_000_000_000, withdrawAt: new Date(), createdAt: new Date(2_000) })
  const other = await newChannel(tenantId, { createdAt: new Date(1_000) })
  expect(await ids()).toEqual([long.id, other.id])
})

type Written = Omit<Parameters<typeof writeStored>[1], 'mutation' | 'signature' | 'pending' | 'usedAt' | 'network'>

/** A write of a merchant's server. */
async function write(of: Written) {
  const rest = { network: NETWORK, signature: '0x', pending: null, usedAt: new Date() } as const
  expect(await writeStored(harness.app.db, { ...of, ...rest, mutation: newId() })).toMatchObject({ end: 'written' })
}

/** A new channel's first write, and one for each charge that follows. */
async function charging(tenantId: string, [first, ...charges]: readonly bigint[]) {
  const at = () => hex(newAddress())
  const { address: token } = mainAsset(NETWORK)
  const parties = { payer: at(), payerAuthorizer: at(), receiver: at(), receiverAuthorizer: at(), token }
  const config = { ...parties, withdrawDelay: 900, salt: hex(newId()) }
  const channel = { id: newId(), tenantId, config, signed: 1_000n }
  await write({ ...channel, expected: null, charged: first ?? 0n })
  for (const [at, charged] of charges.entries()) await write({ ...channel, expected: BigInt(at + 1), charged })
  return channel
}

const countOf = async ({ id }: { id: string }) =>
  (await harness.app.db.channel.findUnique({ where: { network_id: { network: NETWORK, id } } }))?.requests

test('a channel shows how many requests were charged, if all of them were counted', async () => {
  const { tenantId, list } = await seller()
  // A write that charges nothing more is no request.
  await charging(tenantId, [0n, 60n, 60n, 120n, 180n])
  expect((await list()).channels).toMatchObject([{ requests: '3' }])
  const charged = await charging(tenantId, [60n, 120n])
  expect(await countOf(charged)).toBeNull()
})

test('a charge that an old instance raises makes the count unknown for good', async () => {
  const { tenantId } = await seller()
  const channel = await charging(tenantId, [0n, 60n])
  expect(await countOf(channel)).toBe(1n)
  await harness.app.db.$executeRaw`UPDATE "Channel" SET "charged" = 120, "version" = "version" + 1 WHERE "id" = ${channel.id}`
  await write({ ...channel, expected: 3n, charged: 180n })
  expect(await countOf(channel)).toBeNull()
})

test('a channel that a deposit made is counted from its first charge', async () => {
  const { tenantId } = await seller()
  const { id, config } = await charging(tenantId, [0n])
  await harness.app.db.channel.delete({ where: { network_id: { network: NETWORK, id } } })
  await keepChannels(harness.app.db, NETWORK, [{ id: hex(id), tenantId, channel: config }])
  expect(await countOf({ id })).toBeNull()
  for (const [expected, charged] of [0n, 60n].entries())
    await write({ id, tenantId, config, signed: 1_000n, expected: BigInt(expected), charged })
  expect(await countOf({ id })).toBe(1n)
})
