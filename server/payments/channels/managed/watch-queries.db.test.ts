import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/database/database'
import { fixture } from '../../../../test/support/fixture'
import { tenantOf } from '../../../../test/support/service/history'
import type { ChannelState } from '../../../x402/schemes/batch-settlement/channel'
import { DEPOSIT_UNDONE, findToRead, findWatched, moveWatch, takeChannels, writeStates } from './watch-queries'

const database = fixture(freshDatabase)
const NETWORK = 'eip155:84532'
const ID = `0x${'ab'.repeat(32)}` as const
const OPEN: ChannelState = {
  balance: 10_000n,
  totalClaimed: 0n,
  withdrawAmount: 0n,
  withdrawRequestedAt: 0n,
  refundNonce: 0n,
}

const row = () => database.db.channel.findUniqueOrThrow({ where: { network_id: { network: NETWORK, id: ID } } })
const see = (state: Partial<ChannelState>, block: bigint, undone = false) =>
  writeStates(database.db, NETWORK, [{ id: ID, state: { ...OPEN, ...state } }], { block, undone })

test('a channel follows the newest block that was read, and a reorganisation that took its deposit freezes it', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'channels-seen')
  const parties = { payer: '0x01', receiver: '0x02', token: '0x03' }
  await db.channel.create({
    data: { network: NETWORK, id: ID, tenantId, config: {}, ...parties, signed: '2000', charged: '2000', stored: true },
  })
  expect((await row()).owedSince).toBeInstanceOf(Date)
  await see({}, 10n)
  await see({ balance: 1n }, 9n)
  expect((await row()).balance.toFixed()).toBe('10000')

  expect(await see({ balance: 0n }, 9n, true)).toMatchObject([{ frozen: true, unclaimed: '2000' }])
  expect((await row()).unclaimable).toBe(DEPOSIT_UNDONE)
  expect(await see({}, 11n)).toMatchObject([{ frozen: false }])
  expect((await row()).unclaimable).toBeNull()

  const initiated = 1_790_000_000n
  expect(await see({ withdrawAmount: 8_000n, withdrawRequestedAt: initiated }, 12n)).toMatchObject([{ withdrawing: true }])
  expect(await see({ withdrawAmount: 8_000n, withdrawRequestedAt: initiated }, 13n)).toMatchObject([{ withdrawing: false }])
  expect((await row()).withdrawAt?.getTime()).toBe(Number(initiated) * 1_000)

  await see({ totalClaimed: 2_000n }, 14n)
  expect(await row()).toMatchObject({ owedSince: null, withdrawAt: null })
  expect(await db.channelDue.findMany()).toMatchObject([{ receiver: '0x02', token: '0x03', tenantId }])
})

test('one holder at a time follows a network, and the next one starts where it stopped', async () => {
  const { db } = database
  const lease = (holder: string, leaseMs = 60_000) => takeChannels(db, NETWORK, { holder, leaseMs })
  expect(await lease('one')).toBeNull()
  await moveWatch(db, NETWORK, 'one', { number: 7n, hash: '0x07' })
  expect(await lease('other')).toBe('elsewhere')
  await lease('one', -10)
  expect(await lease('other')).toEqual({ number: 7n, hash: '0x07' })
  expect(await lease('one')).toBe('elsewhere')
})

test('read again are the channels that events name, and those that nobody has read', async () => {
  const { db } = database
  const tenantId = await tenantOf(db, 'channels-read')
  const network = 'eip155:8453'
  const [named, unread, other] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`, `0x${'03'.repeat(32)}`] as const
  for (const id of [named, unread, other])
    await db.channel.create({
      data: {
        network,
        id,
        tenantId,
        config: {},
        payer: '0x01',
        receiver: '0x02',
        token: '0x03',
        balance: '1',
        syncedBlock: id === unread ? null : 7n,
      },
    })
  const read = (which: Parameters<typeof findToRead>[2]['which'], limit = 10) =>
    findToRead(db, network, { which, after: null, limit })
  expect(await read({ of: 'ids', ids: [named] })).toEqual([named, unread])
  expect(await read({ of: 'ids', ids: [named] }, 1)).toEqual([named])
  expect(await read({ of: 'undone', since: 8n, except: [] })).toEqual([unread])
  expect(await read({ of: 'undone', since: 7n, except: [other] })).toEqual([named, unread])
  expect(await read({ of: 'all open' })).toEqual([named, unread, other])
  expect(await findWatched(db, network)).toEqual({ has: true, unread: true })
  await writeStates(db, network, [{ id: unread, state: OPEN }], { block: 7n })
  expect(await findWatched(db, network)).toEqual({ has: true, unread: false })
  expect(await findWatched(db, 'eip155:1')).toEqual({ has: false, unread: false })
})

test('what is claimed for one receiver with two keys is due to each of them', async () => {
  const { db } = database
  const network = 'eip155:8453'
  const [one, other] = [await tenantOf(db, 'channels-due-1'), await tenantOf(db, 'channels-due-2')]
  const ids = [`0x${'04'.repeat(32)}`, `0x${'05'.repeat(32)}`] as const
  const parties = { payer: '0x01', receiver: '0x09', token: '0x03' }
  for (const [at, tenantId] of [one, other].entries())
    await db.channel.create({ data: { network, id: ids[at] ?? '', tenantId, config: {}, ...parties, stored: true } })
  await writeStates(
    db,
    network,
    ids.map((id) => ({ id, state: { ...OPEN, totalClaimed: 50n } })),
    { block: 7n },
  )
  const due = await db.channelDue.findMany({ where: { receiver: '0x09' } })
  expect(due.map(({ tenantId, amount }) => `${tenantId} ${amount}`).sort()).toEqual([`${one} 50`, `${other} 50`].sort())
})

test('what the service claims of a withdrawing channel is due also where its merchant keeps it elsewhere', async () => {
  const { db } = database
  const network = 'eip155:8453'
  const tenantId = await tenantOf(db, 'channels-elsewhere')
  const id = `0x${'06'.repeat(32)}` as const
  const parties = { payer: '0x01', receiver: '0x0a', token: '0x03' }
  await db.channel.create({ data: { network, id, tenantId, config: {}, ...parties, stored: false } })
  const read = (state: Partial<ChannelState>, block: bigint) =>
    writeStates(db, network, [{ id, state: { ...OPEN, ...state } }], { block })
  const due = async () => (await db.channelDue.findMany({ where: { receiver: '0x0a' } })).map(({ amount }) => amount.toFixed())
  await read({ totalClaimed: 10n }, 7n)
  expect(await due()).toEqual([])
  await read({ totalClaimed: 10n, withdrawAmount: 1n, withdrawRequestedAt: 1_790_000_000n }, 8n)
  await read({ totalClaimed: 30n, withdrawAmount: 1n, withdrawRequestedAt: 1_790_000_000n }, 9n)
  expect(await due()).toEqual(['20'])
  // One reading shows the claim and the end of the withdrawal.
  await read({ totalClaimed: 35n }, 10n)
  expect(await due()).toEqual(['25'])
  await read({ totalClaimed: 40n }, 11n)
  expect(await due()).toEqual(['25'])
})
