import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { includeOne, newBroadcast, newClaimed, newHash, newLanding, newTenantOf } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { writeAgents } from '../agents/queries'
import { handOver, recordRemoteIncluded } from '../ledger/remote/statements'
import { recordFailed, recordPreconfirmed } from '../ledger/statements/landings'
import { commitSigned, recordSvmIncluded } from '../ledger/svm/statements'
import { connect } from './database'
import { done, giveUpEffect, postponeEffect, pruneEffects, takeEffects } from './outbox'

const database = fixture(freshDatabase)

const newPayer = () => newHash().slice(0, 42)
const openOf = (key: string) => database.db.outbox.findMany({ where: { key }, select: { kind: true, tries: true, doneAt: true } })
const OPEN = { tries: 0, doneAt: null }

describe('a settlement that succeeds', () => {
  test('enqueues the effects of its claim, in the statement that makes it answerable', async () => {
    const payer = newPayer()
    const sent = await newBroadcast(database.db, { payer, effects: ['catalog', 'agents'] })
    expect(await openOf(sent.settlementId)).toEqual([])
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await openOf(sent.settlementId)).toEqual([{ kind: 'catalog', ...OPEN }])
    expect(await openOf(payer)).toEqual([{ kind: 'agents', ...OPEN }])
  })

  test('enqueues nothing without effects, or when it is not logged', async () => {
    const before = await database.db.outbox.count()
    const quiet = await newTenantOf(database.db, { historyEnabled: false })
    for (const claim of [{}, { tenantId: quiet, effects: ['catalog', 'agents'] as const }]) {
      const sent = await newBroadcast(database.db, claim)
      await includeOne(database.db, sent, newLanding(sent.hash))
    }
    expect(await database.db.outbox.count()).toBe(before)
  })

  test('enqueues them for any submitter: another facilitator, or a Solana fee payer', async () => {
    const { db } = database
    const remote = await newClaimed(db, { laneClass: 'remote', effects: ['catalog'] })
    await handOver(db, remote.id, { sinceBlock: 7n, senders: [], checkInMs: 1_000 })
    await recordRemoteIncluded(db, { settlementId: remote.id, logIndex: 1 }, newLanding(newHash()), 1_000)
    const onSolana = await newClaimed(db, { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', effects: ['catalog'] })
    const signed = { signature: newHash(), raw: 'AQ==', fee: 10_000n, sinceSlot: 7n, checkInMs: 1_000 }
    await commitSigned(db, { settlementId: onSolana.id, ...signed })
    await recordSvmIncluded(db, [{ settlementId: onSolana.id, slot: 8n }], 1_000)
    for (const { id } of [remote, onSolana]) expect(await openOf(id)).toEqual([{ kind: 'catalog', ...OPEN }])
  })

  test('enqueues them once, even when it becomes a success twice', async () => {
    const sent = await newBroadcast(database.db, { effects: ['catalog'] })
    await recordPreconfirmed(database.db, sent.slotId, [sent.settlementId], sent.hash)
    await database.db.outbox.updateMany({ where: { key: sent.settlementId }, data: { doneAt: new Date() } })
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await openOf(sent.settlementId)).toHaveLength(1)
  })

  test('a failure enqueues none', async () => {
    const sent = await newBroadcast(database.db, { effects: ['catalog'] })
    const landing = newLanding(sent.hash, { succeeded: false })
    await recordFailed(database.db, sent, {
      to: 'REVERTED',
      counts: 'everywhere',
      reason: 'invalid_exact_evm_transaction_failed',
      txHash: sent.hash,
      landing,
    })
    expect(await openOf(sent.settlementId)).toEqual([])
  })
})

describe('the agents of a payer', () => {
  const settled = async (payer: string) => {
    const sent = await newBroadcast(database.db, { payer, effects: ['agents'] })
    await includeOne(database.db, sent, newLanding(sent.hash))
  }

  test('are looked up once at a time, and not again within a day', async () => {
    const payer = newPayer()
    await settled(payer)
    await settled(payer)
    expect(await openOf(payer)).toHaveLength(1)
    const [row] = await database.db.outbox.findMany({ where: { key: payer } })
    await writeAgents(database.db, row?.id ?? '', payer, [])
    await settled(payer)
    expect(await openOf(payer)).toEqual([{ kind: 'agents', tries: 0, doneAt: expect.any(Date) }])
  })

  test('are looked up again when the last lookup is older than a day', async () => {
    const payer = newPayer()
    await database.db.agentLookup.create({ data: { wallet: payer, askedAt: new Date(Date.now() - 25 * 3_600_000) } })
    await settled(payer)
    expect(await openOf(payer)).toHaveLength(1)
  })
})

describe('an effect', () => {
  const kind = 'catalog'
  const newEffect = async (data: object = {}) => {
    await database.db.outbox.updateMany({ where: { doneAt: null }, data: { doneAt: new Date() } })
    return database.db.outbox.create({ data: { kind, key: randomUUID(), ...data } })
  }
  const take = (leaseMs = 60_000) => takeEffects(database.db, kind, { limit: 10, leaseMs })

  test('is taken by one of many workers', async () => {
    const { id, key } = await newEffect()
    const instances = Array.from({ length: 5 }, () => connect({ url: database.url, poolMax: 1 }))
    const workers = instances.flatMap(({ db }) => [db, db])
    const taken = await Promise.all(workers.map((db) => takeEffects(db, kind, { limit: 10, leaseMs: 60_000 })))
    expect(taken.flat()).toEqual([{ id, key, data: null, tries: 1, old: false }])
    await Promise.all(instances.map((one) => one.close()))
  })

  test('goes to the worker of its kind, and no worker gets more than it asked for', async () => {
    const { key } = await newEffect()
    const origins = await Promise.all(
      [1, 2, 3].map(() => database.db.outbox.create({ data: { kind: 'origins', key: randomUUID() } })),
    )
    const by = { limit: 2, leaseMs: 60_000 }
    const [catalog, some] = await Promise.all([takeEffects(database.db, kind, by), takeEffects(database.db, 'origins', by)])
    expect(catalog.map((one) => one.key)).toEqual([key])
    expect(some).toHaveLength(2)
    expect(origins.map((one) => one.key)).toEqual(expect.arrayContaining(some.map((one) => one.key)))
    expect(await takeEffects(database.db, 'origins', by)).toHaveLength(1)
  })

  test('is taken again when its worker is gone', async () => {
    const { id } = await newEffect()
    await take(0)
    expect(await take()).toMatchObject([{ id, tries: 2 }])
  })

  test('that is postponed waits, and one that is given up is over', async () => {
    const { id } = await newEffect({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    await take()
    await postponeEffect(database.db, id, 60_000)
    expect(await take()).toEqual([])
    await postponeEffect(database.db, id, -1)
    expect(await take()).toMatchObject([{ id, old: true }])
    await giveUpEffect(database.db, id)
    expect(await database.db.outbox.findUnique({ where: { id } })).toMatchObject({ gaveUp: true, doneAt: expect.any(Date) })
    expect(await take(0)).toEqual([])
  })

  test('is written once, although several workers hold it', async () => {
    const { id } = await newEffect()
    await database.db.$executeRaw`CREATE TABLE written (n int)`
    const write = () => database.db.execute`WITH ${done(id)} INSERT INTO written SELECT 1 FROM mine`
    await Promise.all([write(), write(), write()])
    expect(await database.db.$queryRaw`SELECT n FROM written`).toEqual([{ n: 1 }])
  })

  test('that ended a day ago is deleted', async () => {
    const { id } = await newEffect({ doneAt: new Date(Date.now() - 25 * 3_600_000) })
    expect(await pruneEffects(database.db, 1_000)).toBe(1)
    expect(await database.db.outbox.findUnique({ where: { id } })).toBeNull()
  })
})
