import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  newAttempt,
  newBroadcast,
  newClaim,
  newHash,
  newLanding,
  newLease,
} from '../../../test/support/database/ledger'
import { until } from '../../../test/support/until'
import { createLog } from '../../base/log'
import { listen } from '../../db/notices'
import type { Claim } from './claim-statement'
import { rejectClaim } from './claims'
import { recordMined } from './landings'
import { type Lease, lookAtLane, quarantine, releaseLease, takeLease } from './lanes'
import {
  commitReplacement,
  commitSlot,
  markSent,
  type OpenSlot,
  openSlotsAnd,
  openSlotsExcept,
  openSlotsOf,
  openSlotsOfLane,
} from './slots'

let database: FreshDatabase
let lease: Lease
let claim: Claim
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  lease = await newLease(database.db)
  claim = newClaim()
  await claimEnd(database.db, claim)
})

const commit = (changes: { lease?: Lease; nonce?: bigint; id?: string } = {}) =>
  commitSlot(database.db, changes.lease ?? lease, changes.nonce ?? 7n, [changes.id ?? claim.id], newAttempt(), 1_000)

/** All that a commit could have written for the lane and the settlement. */
async function written() {
  const { db } = database
  const slots = await db.slot.findMany({ where: { laneId: lease.laneId } })
  return {
    slots: slots.length,
    attempts: await db.attempt.count({ where: { slotId: { in: slots.map(({ id }) => id) } } }),
    members: await db.slotMember.count({ where: { settlementId: claim.id } }),
    nextNonce: (await db.lane.findUniqueOrThrow({ where: { id: lease.laneId } })).nextNonce,
  }
}
const nothing = { slots: 0, attempts: 0, members: 0, nextNonce: 7n }

describe('a write-ahead', () => {
  test('commits slot, bytes, membership, nonce and state together', async () => {
    const { db } = database
    const attempt = newAttempt()
    const committed = await commitSlot(db, lease, 7n, [claim.id], attempt, 1_000)
    expect(await written()).toEqual({ slots: 1, attempts: 1, members: 1, nextNonce: 8n })
    const row = await db.settlement.findUniqueOrThrow({ where: { id: claim.id } })
    expect({ slotId: row.slotId }).toEqual(committed)
    expect([row.state, row.txHash]).toEqual(['PREPARED', attempt.hash])
    const members = [{ settlementId: claim.id, state: 'PREPARED' }]
    expect(await openSlotsOfLane(db, lease.laneId)).toMatchObject([{ ...committed, nonce: 7n, attempts: [attempt], members }])
  })

  const refusals: [string, () => Promise<object>][] = [
    ['the nonce is used', () => commit({ nonce: 6n })],
    ['the nonce leaves a gap', () => commit({ nonce: 8n })],
    ['the epoch is old', () => commit({ lease: { ...lease, epoch: lease.epoch - 1 } })],
    ['another instance has the lease', () => commit({ lease: { ...lease, holder: 'another' } })],
    [
      'the lease was given up',
      async () => {
        await releaseLease(database.db, lease)
        return commit()
      },
    ],
    [
      'the lease has run out',
      async () => {
        await database.db.lane.update({ where: { id: lease.laneId }, data: { leaseUntil: new Date(Date.now() - 1_000) } })
        return commit()
      },
    ],
    [
      'the lane is quarantined',
      async () => {
        await quarantine(database.db, lease, 'for the test')
        return commit()
      },
    ],
    [
      'the claim was freed',
      async () => {
        await rejectClaim(database.db, claim.id, claim.waiter)
        return commit()
      },
    ],
    ['there is no such claim', () => commit({ id: crypto.randomUUID() })],
  ]
  test.each(refusals)('writes nothing when %s', async (_, refused) => {
    expect(await refused()).toHaveProperty('lost')
    expect(await written()).toEqual(nothing)
  })

  test('happens once for a claim, with any number of tries', async () => {
    const other = await newLease(database.db)
    const committed = await Promise.all([commit(), commit(), commit({ lease: other }), commit({ lease: other })])
    expect(committed.filter((slot) => 'slotId' in slot)).toHaveLength(1)
    expect(await database.db.slotMember.count({ where: { settlementId: claim.id } })).toBe(1)
    expect(await commit({ nonce: 8n })).toEqual({ lost: 'claims', left: [] })
  })

  test('gives parallel claims of a lane no nonce twice', async () => {
    const claims = Array.from({ length: 10 }, () => newClaim())
    for (const one of claims) await claimEnd(database.db, one)
    const committed = await Promise.all(claims.map(({ id }) => commit({ id })))
    expect(committed.filter((slot) => 'slotId' in slot)).toHaveLength(1)
    expect((await written()).nextNonce).toBe(8n)
  })
})

describe('a lease', () => {
  const take = (address: string, holder: string, stealing: 'from any' | 'from dead' | false = false) =>
    takeLease(
      database.db,
      { network: 'eip155:84532', address, class: 'sandbox' },
      { holder, leaseMs: 60_000, stealing, usable: true },
    )

  test("is one instance's, whose epoch stays while it renews and grows when another takes over", async () => {
    const address = newHash().slice(0, 42)
    const first = await take(address, 'one')
    expect((await take(address, 'one'))?.epoch).toBe(first?.epoch)
    expect(await take(address, 'two')).toBeNull()
    const stolen = await take(address, 'two', 'from any')
    expect(stolen?.epoch).toBe((first?.epoch ?? 0) + 1)
    if (stolen) await releaseLease(database.db, stolen)
    expect((await take(address, 'three'))?.epoch).toBe((stolen?.epoch ?? 0) + 1)
  })

  test('passes early only from a process that ended and missed a renewal', async () => {
    const { db, url } = database
    const address = newHash().slice(0, 42)
    const living = await listen(url, { instance: 'one', onNotice: () => {} }, createLog('silent'))
    const missed = () => db.lane.updateMany({ where: { address }, data: { leaseUntil: new Date(Date.now() + 20_000) } })
    await take(address, 'one')
    await missed()
    expect(await take(address, 'two', 'from dead')).toBeNull()
    await take(address, 'one')
    await living.close()
    expect(await take(address, 'two', 'from dead')).toBeNull()
    await missed()
    await until(async () => (await take(address, 'two', 'from dead')) !== null, 'the lease to pass')
  })

  test('looks free to a process exactly when it could take it, and shows a quarantine', async () => {
    const { db, url } = database
    const [address, unknown] = [newHash().slice(0, 42), newHash().slice(0, 42)]
    const look = (of: string, holder: string, laneClass: 'sandbox' | 'production' = 'sandbox') =>
      lookAtLane(
        db,
        { network: 'eip155:84532', address: of, class: laneClass },
        { holder, leaseMs: 60_000, stealing: 'from dead' },
      )
    const living = await listen(url, { instance: 'one', onNotice: () => {} }, createLog('silent'))
    const lease = await take(address, 'one')
    const seen = await Promise.all([look(unknown, 'two'), look(address, 'two')])
    expect(seen.map(({ free }) => free)).toEqual([true, false])
    expect(await look(address, 'one')).toEqual({ free: true, quarantined: false })
    expect(await look(address, 'one', 'production')).toMatchObject({ free: false })
    await db.lane.updateMany({ where: { address }, data: { leaseUntil: new Date(Date.now() + 20_000) } })
    expect(await look(address, 'two')).toMatchObject({ free: false })
    await living.close()
    await until(async () => (await look(address, 'two')).free, 'the lane to look free')
    // A look takes nothing.
    expect(await db.lane.findFirstOrThrow({ where: { address } })).toMatchObject({ holder: 'one', epoch: 1 })
    if (lease) await quarantine(db, lease, 'a test')
    expect(await look(address, 'two')).toEqual({ free: true, quarantined: true })
  })

  test('goes to one of many that ask at once', async () => {
    const address = newHash().slice(0, 42)
    const taken = await Promise.all(Array.from({ length: 20 }, (_, at) => take(address, `instance ${at}`)))
    expect(taken.filter((one) => one !== null)).toHaveLength(1)
  })
})

describe('attempts that are open', () => {
  test('stay so until they are mined, and a late mark never moves a settlement back', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const { settlementId, slotId, hash } = place
    const open = async () => (await openSlotsOf(db, [settlementId])).flatMap(({ members }) => members.map(({ state }) => state))
    expect(await open()).toEqual(['BROADCAST'])
    await includeOne(db, place, newLanding(hash))
    expect(await open()).toEqual([])
    await markSent(db, slotId, hash)
    expect((await db.settlement.findUniqueOrThrow({ where: { id: settlementId } })).state).toBe('INCLUDED')
    await recordMined(db, newLanding(hash))
    expect(await open()).toEqual([])
    expect(await openSlotsOf(db, [])).toEqual([])
  })

  test('of a network come with the known slots that another instance saw mined, and all their transactions', async () => {
    const { db } = database
    const committed = await commit()
    if (!('slotId' in committed)) throw new Error('not committed')
    const { slotId } = committed
    const replacement = { ...newAttempt(), maxFeePerGas: 9n }
    expect(await commitReplacement(db, lease, slotId, replacement)).toBe(true)
    const known = (slots: OpenSlot[]) => slots.filter((one) => one.slotId === slotId)
    expect(known(await openSlotsExcept(db, 'eip155:84532', []))).toHaveLength(1)
    expect(known(await openSlotsExcept(db, 'eip155:84532', [slotId]))).toEqual([])
    expect(await includeOne(db, { settlementId: claim.id, slotId }, newLanding(replacement.hash))).toBe(true)
    expect(known(await openSlotsAnd(db, 'eip155:84532', []))).toEqual([])
    const [filled] = known(await openSlotsAnd(db, 'eip155:84532', [slotId]))
    expect(filled?.attempts.map(({ hash }) => hash)).toContain(replacement.hash)
    expect(filled?.attempts).toHaveLength(2)
  })
})
