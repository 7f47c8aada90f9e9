import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { includeOne, newBroadcast, newLanding, newTenantOf } from '../../test/support/database/ledger'
import { newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { ROOT } from '../../test/support/source-files'
import { until } from '../../test/support/until'
import { createLog } from '../base/log'
import { listen } from '../db/notices'
import { statementOf } from '../db/sql'
import { startFinality } from './finality'
import {
  finalizedQuery,
  findFinalized,
  pruneChecks,
  readFinalized,
  readPlace,
  recordFinal,
  takeFinalityTurn,
  uncheckedQuery,
} from './statements/finality'

const database = fixture(freshDatabase)
const NETWORK = 'eip155:84532'
const CLUSTER = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

let instances = 0
/** An instance that follows finality and hears the others, on a chain that finalized up to `finalized`. */
async function startInstance(chain: { finalized: bigint; calls: number; hashes: Map<bigint, `0x${string}`> }) {
  const woken: string[] = []
  const awaited: string[] = []
  const finality = startFinality({
    db: database.db,
    chains: new Map([
      [
        NETWORK,
        {
          finalizedBlock: async () => {
            chain.calls++
            return chain.finalized
          },
          blockHashes: async (numbers: readonly bigint[]) => numbers.map((number) => chain.hashes.get(number) ?? null),
        },
      ],
    ]),
    clusters: [CLUSTER],
    pauseMs: 50,
    waitedFor: () => awaited,
    wakeHere: (id) => woken.push(id),
    log: createLog('silent'),
  })
  const listening = await listen(
    database.url,
    {
      instance: `finality ${++instances}`,
      onNotice: (notice) => {
        if (typeof notice === 'object' && 'final' in notice) finality.heard(notice.network)
      },
    },
    createLog('silent'),
  )
  stops.push(async () => {
    await listening.close()
    await finality.stop()
  })
  return { finality, awaited, woken }
}

/** A settlement of a merchant with a webhook that an instance makes final in this block, and then ends. */
async function newFinal(block: bigint, network = NETWORK) {
  const { db } = database
  const ownerId = `merchant ${block}`
  await db.owner.create({ data: { kind: 'oidc', id: ownerId } })
  const tenantId = await newTenantOf(db, { ownerKind: 'oidc', ownerId })
  await newEndpoint(db, randomBytes(32), { url: 'https://merchant.test/', ownerId })
  const place = await newBroadcast(db, { tenantId, network, waitUntil: 'finalized' })
  const landing = newLanding(place.hash, { block })
  await includeOne(db, place, landing)
  await recordFinal(db, [{ settlementId: place.settlementId, blockHash: landing.blockHash }])
  return { id: place.settlementId, block, blockHash: `0x${landing.blockHash.slice(2)}` as const }
}

const isAnnounced = (id: string) => async () =>
  (await database.db.outbox.count({ where: { kind: 'webhooks', key: `payment.finalized ${id}` } })) === 1

describe('an instance without payments of its own', () => {
  test('announces what another made final and did not live to announce, wakes its own requests, and then calls no node', async () => {
    const chain = { finalized: 99n, calls: 0, hashes: new Map() }
    const { awaited, woken } = await startInstance(chain)
    const first = await newFinal(10n)
    chain.hashes.set(first.block, first.blockHash)
    awaited.push(first.id)
    await until(isAnnounced(first.id), 'the event of the first settlement')
    await until(() => woken.includes(first.id), 'its own request to be woken')
    await until(async () => (await readFinalized(database.db, NETWORK)) === 99n, 'the finalized block to be recorded')
    expect(chain.calls).toBe(1)

    const second = await newFinal(120n)
    chain.hashes.set(second.block, second.blockHash)
    chain.finalized = 130n
    await until(isAnnounced(second.id), 'the event of the second settlement')
    expect(chain.calls).toBe(2)
  })

  test('does so on Solana, where what is final is finalized', async () => {
    await startInstance({ finalized: 0n, calls: 0, hashes: new Map() })
    const { id } = await newFinal(77n, CLUSTER)
    await until(isAnnounced(id), 'the event of the settlement')
  })
})

describe('a finalized block', () => {
  const finalityNow = async (id: string) => (await readPlace(database.db, id))?.finality
  const stateOf = async (id: string) => (await database.db.settlement.findUniqueOrThrow({ where: { id } })).state

  test('that a node named by mistake is taken back, and what it covered waits again', async () => {
    const chain = { finalized: 1_000n, calls: 0, hashes: new Map() }
    await startInstance(chain)
    const early = await newFinal(300n)
    chain.hashes.set(early.block, early.blockHash)
    await until(async () => (await finalityNow(early.id)) === 'finalized', 'the block to be finalized too early')
    chain.finalized = 250n
    const other = await newFinal(301n)
    await until(async () => (await finalityNow(early.id)) === 'safe', 'the number to be taken back')
    expect([await stateOf(early.id), await finalityNow(other.id)]).toEqual(['FINAL', 'safe'])
    // Meanwhile the chain has another block there.
    chain.hashes.set(early.block, `0x${'de'.repeat(32)}`)
    chain.hashes.set(other.block, other.blockHash)
    chain.finalized = 400n
    await until(async () => (await finalityNow(other.id)) === 'finalized', 'the other block to be finalized')
    await until(async () => (await stateOf(early.id)) === 'INCLUDED', 'the lost block to be missed')
  })

  test('that the node does not have proves nothing', async () => {
    const chain = { finalized: 600n, calls: 0, hashes: new Map() }
    await startInstance(chain)
    const { id, block, blockHash } = await newFinal(500n)
    const asked = chain.calls
    await until(() => chain.calls > asked + 2, 'the node to be asked again')
    expect([await stateOf(id), await finalityNow(id)]).toEqual(['FINAL', 'safe'])
    chain.hashes.set(block, blockHash)
    await until(async () => (await finalityNow(id)) === 'finalized', 'the block to be finalized')
  })

  test('settlements are compared by one part of an index, and compared ones are deleted after an hour', async () => {
    const { db } = database
    await db.$executeRaw`
      INSERT INTO "FinalityCheck" ("settlementId", "network", "block", "checkedAt")
      SELECT gen_random_uuid(), 'eip155:8453', n, now() - interval '59 minutes' FROM generate_series(1, 20000) n`
    await db.$executeRaw`ANALYZE "FinalityCheck"`
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    stops.push(() => client.end())
    const { text, values } = statementOf(uncheckedQuery(NETWORK, 200))
    const { rows } = await client.query({ text: `EXPLAIN ${text}`, values: [...values] })
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Scan using "FinalityCheck_open_idx"/)
    expect(await pruneChecks(db, 1_000)).toBe(0)
    await db.$executeRaw`UPDATE "FinalityCheck" SET "checkedAt" = now() - interval '61 minutes' WHERE "network" = 'eip155:8453'`
    expect(await pruneChecks(db, 1_000)).toBe(1_000)
  })
})

test('an existing database compares what its network had not finalized, and takes older payments as they were', async () => {
  const { db } = database
  const [before, above] = [await newFinal(700n), await newFinal(701n)]
  await db.finalityCheck.deleteMany()
  await db.watchCursor.upsert({
    where: { network: NETWORK },
    create: { network: NETWORK, finalized: 700n },
    update: { finalized: 700n },
  })
  const migration = readFileSync(path.join(ROOT, 'prisma/migrations/20261126101000_finality_checks/migration.sql'), 'utf8')
  await db.$executeRawUnsafe(migration.slice(migration.indexOf('INSERT INTO "FinalityCheck"')))
  const checks = await db.finalityCheck.findMany({ where: { settlementId: { in: [before.id, above.id] } } })
  expect(checks).toEqual([{ settlementId: above.id, network: NETWORK, block: 701n, checkedAt: null }])
  expect([(await readPlace(db, before.id))?.finality, (await readPlace(db, above.id))?.finality]).toEqual(['finalized', 'safe'])
})

describe('of several instances', () => {
  test('one asks a network in each pause, and another goes on when it does not', async () => {
    const { db } = database
    const turns = () => Promise.all(Array.from({ length: 8 }, () => takeFinalityTurn(db, 'eip155:1', 60_000)))
    expect((await turns()).filter(Boolean)).toEqual([true])
    expect((await turns()).filter(Boolean)).toEqual([])
    await db.$executeRaw`UPDATE "WatchCursor" SET "finalizedAskedAt" = now() - interval '61 s' WHERE "network" = 'eip155:1'`
    expect((await turns()).filter(Boolean)).toEqual([true])
  })
})

test('the settlements of a network are read from its part of an index, however many wait on another network', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  stops.push(() => client.end())
  await client.query(`
    INSERT INTO "Outbox" ("kind", "key", "network", "nextAt")
    SELECT 'finality', gen_random_uuid()::text, 'eip155:8453', now() - n * interval '1 s' FROM generate_series(1, 20000) n`)
  await client.query('ANALYZE "Outbox"')
  const { text, values } = statementOf(finalizedQuery(NETWORK, 200))
  await client.query('SET plan_cache_mode = force_generic_plan')
  await client.query(`PREPARE due AS ${text}`)
  const { rows } = await client.query(`EXPLAIN EXECUTE due(${values.map((value) => pg.escapeLiteral(String(value))).join(', ')})`)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Scan (using|on) "Outbox_finality_idx"/)
  expect(await findFinalized(database.db, 'eip155:10', 200)).toEqual({ due: [], waiting: false })
})
