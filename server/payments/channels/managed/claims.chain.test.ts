import { encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../../devnet/networks'
import { createChannelForge, DEPOSIT } from '../../../../test/support/batch-settlement/channels'
import { fixture } from '../../../../test/support/fixture'
import { startHarness } from '../../../../test/support/service/harness'
import { newMerchant } from '../../../../test/support/service/surface'
import { until } from '../../../../test/support/until'

const EVERY_MS = 100
const harness = fixture(() =>
  startHarness({
    production: true,
    env: { KYT: 'off', CHANNEL_SECRETS: 'the-secret-of-the-channels-of-these-tests' },
    seams: { channelsEveryMs: EVERY_MS },
  }),
)
const NETWORK = 'eip155:84532'
const { abi } = artifact('BatchSettlement')

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  harness.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

/** A merchant whose channels the service keeps and claims by this policy. */
async function newSeller(policy: { claimAbove?: bigint; claimAfterSeconds?: number; claimMaxGasPrice?: bigint } = {}) {
  const merchant = await newMerchant(harness.app)
  const { tenantId } = merchant
  const { claimAbove, claimAfterSeconds, claimMaxGasPrice } = policy
  await harness.database.db.tenant.update({
    where: { id: tenantId },
    data: {
      claimAbove: claimAbove?.toString() ?? null,
      claimAfterSeconds: claimAfterSeconds ?? null,
      claimMaxGasPrice: claimMaxGasPrice?.toString() ?? null,
    },
  })
  const authorizer = harness.app.authorizers.newest({ tenantId, key: { id: tenantId, version: 0 } })?.address ?? '0x'
  const receiver = (await harness.payer(0n)).address
  const forge = createChannelForge(harness.chain, receiver, authorizer)
  return { ...merchant, forge, receiver }
}

type Seller = Awaited<ReturnType<typeof newSeller>>

/** A channel with a deposit, which the merchant's server keeps here. */
async function opened({ v1, forge }: Seller, change: Parameters<Seller['forge']['deposit']>[1] = {}) {
  const who = await forge.payer()
  const made = await forge.deposit(who, change)
  expect((await v1.settle(made.body)).body).toMatchObject({ success: true })
  return { ...who, ...made }
}

type Opened = Awaited<ReturnType<typeof opened>>

const rowOf = (channelId: Hex) =>
  harness.database.db.channel.findUniqueOrThrow({ where: { network_id: { network: NETWORK, id: channelId } } })

/** The merchant's server charges so much by a voucher over so much. */
async function charge({ forge }: Seller, { config, owner, channelId }: Opened, charged: bigint, signed = charged): Promise<void> {
  const { signature } = await forge.row(config, owner, charged, signed)
  await harness.database.db.channel.update({
    where: { network_id: { network: NETWORK, id: channelId } },
    data: { stored: true, charged: charged.toString(), signed: signed.toString(), signature },
  })
}

const claimedOf = async (channelId: Hex): Promise<bigint> => {
  const state = await read('channels', [channelId])
  return Array.isArray(state) ? BigInt(state[1]) : 0n
}

const claimsOf = ({ tenantId }: Seller, kind = 'claim') =>
  harness.database.db.settlement.findMany({
    where: { tenantId, kind, state: { not: 'REJECTED' } },
    orderBy: { createdAt: 'asc' },
  })

/** Long enough for rounds that would claim. */
const someRounds = () => new Promise((resolve) => setTimeout(resolve, 15 * EVERY_MS))

async function sendAs(account: LocalAccount, functionName: string, args: unknown[]): Promise<void> {
  const { chain } = harness
  await chain.fund(account.address, 10n ** 18n)
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await chain.client.sendTransaction({ account, chain: chain.client.chain, to: batchSettlementAddress, data })
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
}

describe('what a merchant charged is claimed', () => {
  test('once it reaches the amount of the key, and paid out to the receiver', async () => {
    const seller = await newSeller({ claimAbove: 700n })
    const channel = await opened(seller)
    await charge(seller, channel, 699n, 900n)
    await someRounds()
    expect(await claimedOf(channel.channelId)).toBe(0n)
    await charge(seller, channel, 700n, 900n)
    await until(async () => (await claimedOf(channel.channelId)) === 700n, 'the claim')
    await until(async () => (await harness.chain.tokens(seller.receiver)) === 700n, 'the payment')
    expect(await claimsOf(seller)).toHaveLength(1)
    expect(await claimsOf(seller, 'sweep')).toHaveLength(1)
    await until(async () => (await rowOf(channel.channelId)).claimed.toFixed() === '700', 'the row to say so')
    await until(
      async () => (await harness.database.db.channelDue.count({ where: { receiver: seller.receiver.toLowerCase() } })) === 0,
      'nothing due',
    )
  })

  test('once it is old, however little it is and however dear gas is', async () => {
    const seller = await newSeller({ claimMaxGasPrice: 1n, claimAbove: 1n, claimAfterSeconds: 2 })
    const channel = await opened(seller)
    await charge(seller, channel, 5n)
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(await claimedOf(channel.channelId)).toBe(0n)
    await until(async () => (await claimedOf(channel.channelId)) === 5n, 'the claim')
  })

  test('with what else the same key has unclaimed, in one transaction that costs one settlement', async () => {
    const seller = await newSeller({ claimAbove: 1_000n })
    const channels = [await opened(seller), await opened(seller), await opened(seller)]
    const before = await unitsOf(seller)
    await charge(seller, channels[0] as Opened, 100n)
    await charge(seller, channels[1] as Opened, 200n)
    await charge(seller, channels[2] as Opened, 1_000n)
    await until(async () => (await claimedOf((channels[2] as Opened).channelId)) === 1_000n, 'the claim')
    expect(await Promise.all(channels.map(({ channelId }) => claimedOf(channelId)))).toEqual([100n, 200n, 1_000n])
    expect(await claimsOf(seller)).toHaveLength(1)
    await until(async () => (await claimsOf(seller, 'sweep')).length === 1, 'the payment')
    expect((await unitsOf(seller)) - before).toBe(2)
  })
})

async function unitsOf({ tenantId }: Seller): Promise<number> {
  const used = await harness.database.db.usage.findMany({ where: { subject: { contains: tenantId }, meter: 'settlement' } })
  return used.reduce((sum, one) => sum + Number(one.used), 0)
}

test('a withdrawal is answered with a claim at once, and wins against it', async () => {
  const seller = await newSeller({ claimAbove: 10n ** 12n })
  const channel = await opened(seller)
  await charge(seller, channel, 3_000n, 4_000n)
  await sendAs(channel.owner, 'initiateWithdraw', [channel.config, DEPOSIT])
  await until(async () => (await claimedOf(channel.channelId)) === 3_000n, 'the claim')
  await until(async () => (await rowOf(channel.channelId)).claimed.toFixed() === '3000', 'the row to say so')
  expect(await rowOf(channel.channelId)).toMatchObject({ unclaimable: null, withdrawAt: expect.any(Date) })
})
