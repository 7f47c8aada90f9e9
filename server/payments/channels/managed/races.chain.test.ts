import { expect, test } from 'vitest'
import { DEPOSIT } from '../../../../test/support/batch-settlement/channels'
import { CHANNEL_SECRETS, createSellers } from '../../../../test/support/batch-settlement/sellers'
import { fixture } from '../../../../test/support/fixture'
import { testLog } from '../../../../test/support/logs'
import { startHarness } from '../../../../test/support/service/harness'
import { until } from '../../../../test/support/until'
import { createApp } from '../../../boot/app'
import { readEnv } from '../../../env/env'

const seams = { channelsEveryMs: 100 }
const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS, RECHECK_MS: '300', FINALITY_DEPTH: '8' }, seams }),
)
const { newSeller, opened, charge, age, row, claimed, balance, acts, sendAs, wait } = createSellers(() => harness)
const NEVER = 10n ** 12n

test('of two instances one claims, and the other goes on when it stops', async () => {
  const { database } = harness
  const other = await createApp(readEnv(harness.env), testLog(), seams)
  try {
    const seller = await newSeller({ claimAbove: 2_000n })
    const [first, second] = [await opened(seller), await opened(seller)]
    await charge(seller, first, 2_000n)
    await until(async () => (await claimed(first)) === 2_000n, 'the claim')
    expect(await acts(seller, 'claim')).toHaveLength(1)
    const holder = async () => (await database.db.channelWatch.findUniqueOrThrow({ where: { network: 'eip155:84532' } })).holder
    const died = 'one that died'
    await database.db.channelWatch.updateMany({ data: { holder: died, leaseUntil: new Date(Date.now() + 2_000) } })
    // A round that began before ends.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await charge(seller, second, 2_000n)
    await until(async () => (await holder()) !== died, 'an instance to take over')
    await until(async () => (await claimed(second)) === 2_000n, 'the claim of the next one')
    expect(await acts(seller, 'claim')).toHaveLength(2)
  } finally {
    await other.close()
  }
})

test('a deposit that a reorganisation took is sent again, and what was charged of it is claimed', async () => {
  const { app, chain } = harness
  const seller = await newSeller({ claimAbove: NEVER })
  const channel = await opened(seller)
  await charge(seller, channel, 2_000n)
  const [deposit] = await acts(seller, 'deposit')
  const hash = `0x${deposit?.txHash?.slice(2)}` as const
  const placed = () => chain.client.getTransactionReceipt({ hash }).catch(() => null)
  const before = await placed()
  if (!before) throw new Error('the deposit is in no block')
  await chain.reorganise(Number((await chain.client.getBlockNumber()) - before.blockNumber) + 1)
  await until(
    async () => ![undefined, before.blockHash].includes((await placed())?.blockHash),
    'the deposit to be in another block',
    30_000,
  )
  expect(await balance(channel)).toBe(DEPOSIT)
  await app.db.tenant.update({ where: { id: seller.tenantId }, data: { claimAbove: '1' } })
  await until(async () => (await claimed(channel)) === 2_000n, 'the claim', 30_000)
  expect(await row(channel)).toMatchObject({ unclaimable: null })
})

test('a payer who took the rest first costs that channel alone: the loss is noted, the others are claimed', async () => {
  const seller = await newSeller({ claimAbove: NEVER })
  const [lost, other] = [await opened(seller), await opened(seller)]
  await sendAs(lost.owner, 'initiateWithdraw', [lost.config, DEPOSIT])
  // The first voucher came with the deposit.
  await until(async () => (await claimed(lost)) === 1_000n, 'the claim of what was known')
  await wait(901)
  await sendAs(lost.owner, 'finalizeWithdraw', [lost.config])
  await until(async () => (await row(lost)).withdrawAt === null, 'the row to say so')
  await charge(seller, lost, 4_000n)
  await charge(seller, other, 3_000n)
  await harness.app.db.tenant.update({ where: { id: seller.tenantId }, data: { claimAbove: '1' } })
  await until(async () => (await claimed(other)) === 3_000n, 'the claim of the other')
  await until(async () => (await row(lost)).unclaimable === 'ClaimExceedsBalance', 'the loss')
  expect((await row(lost)).claimed.toFixed()).toBe('1000')
  expect((await row(other)).unclaimable).toBeNull()
})

test('where the day of a key pays for no more races, a withdrawal is answered as any charge is: once it is old', async () => {
  const { db } = harness.app
  const seller = await newSeller({ claimAbove: NEVER })
  const channel = await opened(seller)
  await charge(seller, channel, 2_000n)
  const [deposit] = await acts(seller, 'deposit')
  const spent = 10n ** 30n
  await db.$executeRaw`INSERT INTO "GasSpend" ("day", "budget", "network", "spent")
    VALUES ((now() AT TIME ZONE 'UTC')::date, 'races:' || ${deposit?.party}, 'eip155:84532', ${String(spent)}::numeric)`
  await sendAs(channel.owner, 'initiateWithdraw', [channel.config, DEPOSIT])
  await until(async () => (await row(channel)).withdrawAt !== null, 'the row to say so')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await claimed(channel)).toBe(0n)
  await age(channel, 300)
  await until(async () => (await claimed(channel)) === 2_000n, 'the claim', 30_000)
  expect((await acts(seller, 'claim')).map(({ party }) => party)).toEqual([deposit?.party])
})

test('a service that begins to stop claims what its merchants charged', async () => {
  const seller = await newSeller({ claimAbove: NEVER })
  const channel = await opened(seller)
  await charge(seller, channel, 2_000n)
  harness.app.beginStop()
  await until(async () => (await claimed(channel)) === 2_000n, 'the claim')
})
