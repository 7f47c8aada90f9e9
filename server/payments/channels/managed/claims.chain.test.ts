import { formatEther, hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { DEPOSIT } from '../../../../test/support/batch-settlement/channels'
import { CHANNEL_SECRETS, createSellers, type Seller } from '../../../../test/support/batch-settlement/sellers'
import { moveTo, newClaimed } from '../../../../test/support/database/ledger'
import { fixture } from '../../../../test/support/fixture'
import { startProxiedHarness } from '../../../../test/support/nodes/proxied-harness'
import { until } from '../../../../test/support/until'
import { actKey } from '../../../x402/intent'

const EVERY_MS = 100
const proxied = fixture(() =>
  startProxiedHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS }, seams: { channelsEveryMs: EVERY_MS } }),
)
const sellers = createSellers(() => proxied.harness)
const { newSeller, opened, charge, age, row, claimed, acts, sendAs } = sellers
const NEVER = 10n ** 12n

const ROUNDS = 48
/** Long enough for rounds that would claim. */
const someRounds = () => new Promise((resolve) => setTimeout(resolve, 15 * EVERY_MS))

/** The units of a merchant's month that are used. */
async function units({ subject }: Seller): Promise<number> {
  const used = await proxied.harness.database.db.usage.findMany({ where: { subject, meter: 'settlement' } })
  return used.reduce((sum, one) => sum + Number(one.used), 0)
}

test('a service without channels asks no node about any', async () => {
  const before = proxied.node.seen.length
  await someRounds()
  expect(proxied.node.seen.slice(before).filter((method) => method !== 'eth_chainId')).toEqual([])
})

describe('what a merchant charged is claimed', () => {
  test('once it reaches the amount of the key, and paid out to the receiver', async () => {
    const seller = await newSeller({ claimAbove: 1_700n })
    const channel = await opened(seller)
    await charge(seller, channel, 1_699n, { signed: 1_900n })
    await someRounds()
    expect(await claimed(channel)).toBe(0n)
    await charge(seller, channel, 1_700n, { signed: 1_900n })
    await until(async () => (await claimed(channel)) === 1_700n, 'the claim')
    await until(async () => (await proxied.harness.chain.tokens(seller.receiver)) === 1_700n, 'the payment')
    await until(async () => (await row(channel)).claimed.toFixed() === '1700', 'the row to say so')
    const due = { where: { receiver: seller.receiver } }
    await until(async () => (await proxied.harness.database.db.channelDue.count(due)) === 0, 'nothing to be due')
    expect(await acts(seller, 'claim')).toHaveLength(1)
    expect(await acts(seller, 'sweep')).toHaveLength(1)
  })

  test('once it is old, however little it is and however dear gas is', async () => {
    const seller = await newSeller({ claimMaxGasPrice: 1n, claimAbove: 1n })
    const channel = await opened(seller)
    await charge(seller, channel, 1_005n)
    await age(channel, 290)
    await someRounds()
    expect(await claimed(channel)).toBe(0n)
    // A third of the channel's delay of 900 seconds, although the key has no figure of its own.
    await age(channel, 300)
    await until(async () => (await claimed(channel)) === 1_005n, 'the claim')
  })

  test('with what else the same key has unclaimed, in one transaction that costs one settlement', async () => {
    const seller = await newSeller({ claimAbove: 2_000n })
    const [one, other, much] = [await opened(seller), await opened(seller), await opened(seller)]
    const before = await units(seller)
    await charge(seller, one, 1_100n)
    await charge(seller, other, 1_200n)
    await charge(seller, much, 2_000n)
    await until(async () => (await claimed(much)) === 2_000n, 'the claim')
    expect([await claimed(one), await claimed(other)]).toEqual([1_100n, 1_200n])
    expect(await acts(seller, 'claim')).toHaveLength(1)
    await until(async () => (await proxied.harness.chain.tokens(seller.receiver)) === 4_300n, 'the payment')
    expect((await units(seller)) - before).toBe(2)
  })

  test('although the quota of the key is spent: it is counted', async () => {
    const seller = await newSeller({ claimAbove: 2_000n })
    const channel = await opened(seller)
    await proxied.harness.database.db.usage.updateMany({
      where: { subject: seller.subject, meter: 'settlement' },
      data: { used: 100_000 },
    })
    await charge(seller, channel, 2_000n)
    await until(async () => (await claimed(channel)) === 2_000n, 'the claim')
    await until(async () => (await units(seller)) === 100_002, 'a claim and a payment to be counted')
  })

  test('when its key is revoked, whatever its policy says', async () => {
    const seller = await newSeller({ claimAbove: NEVER })
    const channel = await opened(seller)
    await charge(seller, channel, 2_000n)
    await someRounds()
    expect(await claimed(channel)).toBe(0n)
    await proxied.harness.database.db.tenant.update({ where: { id: seller.tenantId }, data: { revokedAt: new Date() } })
    await until(async () => (await claimed(channel)) === 2_000n, 'the claim')
    await until(async () => (await proxied.harness.chain.tokens(seller.receiver)) === 2_000n, 'the payment')
  })
})

test('a withdrawal is answered with a claim at once and without a unit, also where month and day are spent; further vouchers are refused', async () => {
  const { db } = proxied.harness.database
  const seller = await newSeller({ claimAbove: NEVER })
  const channel = await opened(seller)
  await charge(seller, channel, 3_000n, { signed: 4_000n })
  const [spent] = await db.$queryRaw<{ most: string }[]>`SELECT max("spent")::text AS "most" FROM "GasSpend"`
  Object.assign(proxied.harness.app.config, { gasBudgetDay: formatEther(BigInt(spent?.most ?? 0)) })
  await db.usage.updateMany({ where: { subject: seller.subject, meter: 'settlement' }, data: { used: 100_000 } })
  await sendAs(channel.owner, 'initiateWithdraw', [channel.config, DEPOSIT])
  await until(async () => (await claimed(channel)) === 3_000n, 'the claim')
  Object.assign(proxied.harness.app.config, { gasBudgetDay: null })
  await until(async () => (await row(channel)).claimed.toFixed() === '3000', 'the row to say so')
  expect(await row(channel)).toMatchObject({ unclaimable: null, withdrawAt: expect.any(Date) })
  expect(await units(seller)).toBe(100_000)
  const { body } = await seller.v1.verify(await seller.forge.voucher(channel.config, channel.owner, 5_000n))
  expect(body).toMatchObject({ isValid: false, invalidMessage: expect.stringContaining('withdraw') })
})

test('what failed on chain before is claimed once the chain would take it', async () => {
  const { db } = proxied.harness.database
  const seller = await newSeller({ claimAbove: 2_000n })
  const channel = await opened(seller)
  const intentKey = hexToBytes(actKey(['batch-claim', 'eip155:84532', channel.channelId, '2000']))
  const { id } = await newClaimed(db, {
    intentKey,
    kind: 'claim',
    queuedBy: 'another instance',
    tenantId: seller.tenantId,
    caller: seller.subject,
  })
  await moveTo(db, id, 'EXPIRED')
  await charge(seller, channel, 2_000n)
  await until(async () => (await claimed(channel)) === 2_000n, 'the claim')
})

test('a row that cannot land holds up no other, and names its reason until a newer voucher comes', async () => {
  const seller = await newSeller({ claimAbove: 2_000n })
  const [good, bad, other] = [await opened(seller), await opened(seller), await opened(seller)]
  await charge(seller, bad, 1_900n, { signer: good.owner })
  await charge(seller, good, 1_900n)
  await charge(seller, other, 2_000n)
  await until(async () => (await claimed(other)) === 2_000n && (await claimed(good)) === 1_900n, 'the good rows')
  await until(async () => (await row(bad)).unclaimable === 'InvalidSignature', 'the reason')
  await charge(seller, bad, 2_500n)
  await until(async () => (await claimed(bad)) === 2_500n, 'the claim of the newer voucher')
  expect(await row(bad)).toMatchObject({ unclaimable: null })
})

test('where a network has channels and no news, most rounds ask no node, and a reading costs one call for events and none for states', async () => {
  await opened(await newSeller({ claimAbove: NEVER }))
  const { seen } = proxied.node
  const readings = (since: number) => seen.slice(since).filter((method) => method === 'eth_getLogs').length
  const deposited = seen.length
  await until(async () => readings(deposited) >= 2, 'the deposit to be seen')
  const before = seen.length
  for (let at = 0; at < ROUNDS; at += 15) await someRounds()
  await until(async () => readings(before) > 0, 'a reading')
  expect(readings(before)).toBeLessThanOrEqual(ROUNDS / 6)
  expect(seen.slice(before)).not.toContain('eth_call')
})
