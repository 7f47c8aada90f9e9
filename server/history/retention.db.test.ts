import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  moveTo,
  newAttempt,
  newBroadcast,
  newClaim,
  newClaimed,
  newLanding,
  newLease,
  newTenantOf,
} from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { HOUR_MS } from '../base/durations'
import { recordFinal } from '../ledger/statements/finality'
import { commitSlot } from '../ledger/statements/slots'
import { commitSigned } from '../ledger/svm/statements'
import { scrubUnlogged } from './queries'

const database = fixture(freshDatabase)

const payload = { transfer: { signature: '0x1234' }, declared: { extensions: {} } }
const unlogged = async () => ({ ...payload, tenantId: await newTenantOf(database.db, { historyEnabled: false }) })

/** As if all of it had happened so long ago. */
async function age(id: string, ms: number): Promise<void> {
  const at = new Date(Date.now() - ms)
  await database.db.settlement.update({ where: { id }, data: { createdAt: at } })
  await database.db.step.updateMany({ where: { settlementId: id }, data: { at } })
}
const kept = async (id: string) => {
  const { transfer, declared, resource } = await database.db.settlement.findUniqueOrThrow({ where: { id } })
  return { transfer, declared, resource }
}
const rawOf = async (hash: string) => (await database.db.attempt.findUniqueOrThrow({ where: { hash } })).raw

async function newFinal(tenant: Parameters<typeof newBroadcast>[1]) {
  const place = await newBroadcast(database.db, tenant)
  const landing = newLanding(place.hash)
  await includeOne(database.db, place, landing)
  await recordFinal(database.db, [{ settlementId: place.settlementId, blockHash: landing.blockHash }])
  return place
}

const NOTHING = { transfer: {}, declared: {}, resource: '' }
const EVERYTHING = { ...payload, resource: 'http://merchant.test/weather' }

test('a day after its end a settlement that keeps no history has lost what safety does not need, and guards as before', async () => {
  const place = await newFinal(await unlogged())
  const logged = await newFinal({ ...payload, tenantId: await newTenantOf(database.db) })
  await age(logged.settlementId, 25 * HOUR_MS)
  await age(place.settlementId, 23 * HOUR_MS)
  expect(await scrubUnlogged(database.db, 100)).toBe(0)
  expect([await kept(place.settlementId), await rawOf(place.hash)]).toEqual([EVERYTHING, '0x02'])
  const before = await database.db.settlement.findUniqueOrThrow({ where: { id: place.settlementId } })
  await age(place.settlementId, 25 * HOUR_MS)
  expect([await scrubUnlogged(database.db, 100), await scrubUnlogged(database.db, 100)]).toEqual([1, 0])
  expect([await kept(place.settlementId), await rawOf(place.hash)]).toEqual([NOTHING, ''])
  expect([await kept(logged.settlementId), await rawOf(logged.hash)]).toEqual([EVERYTHING, '0x02'])
  const after = await database.db.settlement.findUniqueOrThrow({ where: { id: place.settlementId } })
  expect(after).toEqual({ ...before, ...NOTHING, createdAt: after.createdAt, scrubbedAt: expect.any(Date) })
  // The same signed transfer is still taken.
  expect(await claimEnd(database.db, newClaim({ intentKey: place.claim.intentKey }))).toBe('taken')
})

test('a deposit keeps what it declared while its key keeps history: the report of listings reads it', async () => {
  const deposit = { ...payload, kind: 'deposit' as const }
  const [logged, silent] = [
    await newFinal({ ...deposit, tenantId: await newTenantOf(database.db) }),
    await newFinal({ ...deposit, ...(await unlogged()) }),
  ]
  for (const { settlementId } of [logged, silent]) await age(settlementId, 25 * HOUR_MS)
  expect(await scrubUnlogged(database.db, 100)).toBe(2)
  expect(await kept(logged.settlementId)).toEqual({ ...EVERYTHING, transfer: {} })
  expect([await kept(silent.settlementId), await rawOf(logged.hash)]).toEqual([NOTHING, ''])
})

test('a settlement that may still change keeps all data at any age; failures lose it as successes do', async () => {
  const tenant = await unlogged()
  const [claimed, sent, included] = [
    await newClaimed(database.db, tenant),
    await newBroadcast(database.db, tenant),
    await newBroadcast(database.db, tenant),
  ]
  await includeOne(database.db, included, newLanding(included.hash))
  const ids = [claimed.id, sent.settlementId, included.settlementId]
  for (const id of ids) await age(id, 100 * HOUR_MS)
  expect(await scrubUnlogged(database.db, 100)).toBe(0)
  await moveTo(database.db, claimed.id, 'REJECTED')
  await age(claimed.id, 25 * HOUR_MS)
  expect([await scrubUnlogged(database.db, 100), await kept(claimed.id)]).toEqual([1, NOTHING])
  // Its end is known, but the nonce of its slot is not used yet.
  await moveTo(database.db, sent.settlementId, 'EXPIRED')
  await age(sent.settlementId, 25 * HOUR_MS)
  expect([await scrubUnlogged(database.db, 100), await kept(sent.settlementId)]).toEqual([0, EVERYTHING])
  await database.db.slot.update({ where: { id: sent.slotId }, data: { state: 'filled' } })
  expect([await scrubUnlogged(database.db, 100), await kept(sent.settlementId), await rawOf(sent.hash)]).toEqual([1, NOTHING, ''])
})

test('the rows of channels that an act claimed last as long as its success, and a day beyond a failure', async () => {
  const { db } = database
  const rowsOf = async (id: string) => db.channelClaim.count({ where: { settlementId: id } })
  const written = (id: string) =>
    db.channelClaim.create({ data: { settlementId: id, network: 'eip155:84532', channelId: id, total: 1, signed: 1 } })
  const [landed, freed] = [await newFinal(await unlogged()), await newClaimed(db, await unlogged())]
  await moveTo(db, freed.id, 'REJECTED')
  for (const id of [landed.settlementId, freed.id]) {
    await written(id)
    await age(id, 23 * HOUR_MS)
  }
  await scrubUnlogged(db, 100)
  expect([await rowsOf(landed.settlementId), await rowsOf(freed.id)]).toEqual([1, 1])
  for (const id of [landed.settlementId, freed.id]) await age(id, 25 * HOUR_MS)
  await scrubUnlogged(db, 100)
  expect([await rowsOf(landed.settlementId), await rowsOf(freed.id)]).toEqual([1, 0])
})

test('a shared transaction keeps its bytes until all its settlements have ended', async () => {
  const [mine, fellow] = [await newClaimed(database.db, await unlogged()), await newClaimed(database.db, payload)]
  const attempt = newAttempt()
  const committed = await commitSlot(database.db, await newLease(database.db), 7n, [mine.id, fellow.id], attempt, 1_000)
  if (!('slotId' in committed)) throw new Error('not committed')
  await database.db.slot.update({ where: { id: committed.slotId }, data: { state: 'filled' } })
  await moveTo(database.db, mine.id, 'INCLUDED', 'FINAL')
  await age(mine.id, 25 * HOUR_MS)
  expect([await scrubUnlogged(database.db, 100), await rawOf(attempt.hash)]).toEqual([0, '0x02'])
  await moveTo(database.db, fellow.id, 'REVERTED')
  expect([await scrubUnlogged(database.db, 100), await rawOf(attempt.hash)]).toEqual([1, ''])
  expect([await kept(mine.id), await kept(fellow.id)]).toEqual([NOTHING, EVERYTHING])
})

test('on Solana the one signed transaction goes too', async () => {
  const network = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  const { id } = await newClaimed(database.db, { ...(await unlogged()), network })
  await commitSigned(database.db, {
    settlementId: id,
    signature: 'signature',
    raw: 'bytes',
    fee: 5_000n,
    sinceSlot: 1n,
    checkInMs: 1_000,
  })
  await moveTo(database.db, id, 'EXPIRED')
  await age(id, 25 * HOUR_MS)
  expect([await scrubUnlogged(database.db, 100), await kept(id)]).toEqual([1, NOTHING])
  expect(await database.db.svmAttempt.findUnique({ where: { settlementId: id } })).toMatchObject({
    signature: 'signature',
    raw: '',
  })
})

test('goes batch by batch and does nothing twice', async () => {
  const tenant = await unlogged()
  const claims = await Promise.all(Array.from({ length: 5 }, () => newClaimed(database.db, tenant)))
  for (const { id } of claims) {
    await moveTo(database.db, id, 'REJECTED')
    await age(id, 25 * HOUR_MS)
  }
  expect([await scrubUnlogged(database.db, 3), await scrubUnlogged(database.db, 3), await scrubUnlogged(database.db, 3)]).toEqual(
    [3, 2, 0],
  )
})
