import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  moveTo,
  newBroadcast,
  newClaim,
  newLanding,
  newTenantOf,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { until } from '../../../test/support/until'
import { createLog } from '../../base/log'
import { listen } from '../../db/notices'
import { recordIncluded, recordUnlanded } from './landings'
import { attachWaiter, type Delivery, deliver, detachWaiter } from './settlements'

const database = fixture(freshDatabase)

describe('the waiting request', () => {
  const attach = (claim: ReturnType<typeof newClaim>, changes: object = {}, locksNames = false) => {
    const { id, tenantId, caller, requestHash } = claim
    const by = { id, tenantId, caller, requestHash, waiter: 'test:2', deadlineMs: 20_000, waitUntil: null, ...changes }
    return attachWaiter(database.db, by, locksNames)
  }

  test('is the only one until it leaves or its time is over', async () => {
    const { db } = database
    const claim = newClaim()
    await claimEnd(db, claim)
    expect(await attach(claim)).toBe(false)
    // Another request gets the state and does not end the wait.
    expect(await detachWaiter(db, claim.id, 'someone else')).toMatchObject({ state: 'CLAIMED' })
    expect(await attach(claim)).toBe(false)
    expect(await detachWaiter(db, claim.id, 'test:1')).toMatchObject({ state: 'CLAIMED', txHash: null })
    expect(await attach(claim)).toBe(true)
    expect(await attach(claim)).toBe(false)
    await db.settlement.update({ where: { id: claim.id }, data: { waiterUntil: new Date(Date.now() - 1_000) } })
    expect(await attach(claim, { waiter: 'test:3' })).toBe(true)
  })

  test('is one of many that come at once', async () => {
    const { db } = database
    const claim = newClaim()
    await claimEnd(db, claim)
    await detachWaiter(db, claim.id, 'test:1')
    const attached = await Promise.all(Array.from({ length: 20 }, (_, at) => attach(claim, { waiter: `test:${at}` })))
    expect(attached.filter(Boolean)).toHaveLength(1)
  })

  test('is the same caller with the same request, of a settlement that lives', async () => {
    const { db } = database
    const claim = newClaim()
    await claimEnd(db, claim)
    await detachWaiter(db, claim.id, 'test:1')
    const others = [
      { tenantId: await newTenantOf(db) },
      { caller: 'ip:10.0.0.2' },
      { requestHash: randomBytes(32) },
      { id: uuidv7() },
    ]
    for (const other of others) expect(await attach(claim, other)).toBe(false)
    await moveTo(db, claim.id, 'REJECTED')
    expect(await attach(claim)).toBe(false)
  })

  test('is over when its process ended, and not while that process lives', async () => {
    const { db, url } = database
    const claim = newClaim()
    await claimEnd(db, claim)
    const living = await listen(url, { instance: 'test', onNotice: () => {} }, createLog('silent'))
    expect(await attach(claim, {}, true)).toBe(false)
    await living.close()
    expect(await attach(claim)).toBe(false)
    await until(() => attach(claim, { waiter: 'other:1' }, true), 'the wait to be over')
  })

  test('gets the outcome once, when there is one, and no later request gets it', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const { settlementId, claim, hash } = place
    expect(await deliver(db, settlementId, 'test:1')).toBeNull()
    await includeOne(db, place, newLanding(hash))
    expect(await deliver(db, settlementId, 'someone else')).toBeNull()
    const delivered = await Promise.all(Array.from({ length: 5 }, () => deliver(db, settlementId, 'test:1')))
    expect(delivered.filter((outcome) => outcome !== null)).toEqual([
      { version: 3, detail: null, state: 'INCLUDED', txHash: hash, reason: null, block: 10n, logIndex: 3, finality: 'included' },
    ])
    expect(await attach(claim)).toBe(false)
  })

  test('gets the outcome in the statement that lands its transfer, once, of however many come at once', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const delivery = { id: place.settlementId, waiter: 'test:1', name: 'its name' }
    const landings = await Promise.all(Array.from({ length: 5 }, () => land(place, delivery)))
    const expected = { version: 3, detail: null, state: 'INCLUDED', txHash: place.hash, reason: null, block: 10n, logIndex: 3 }
    expect(landings.flat()).toEqual([{ id: place.settlementId, delivered: { ...expected, finality: 'included' } }])
    expect(await db.settlement.findUniqueOrThrow({ where: { id: place.settlementId } })).toMatchObject({
      deliveredAt: expect.any(Date),
      deliveredTo: 'its name',
      waiter: null,
      waiterUntil: null,
    })
    expect(await deliver(db, place.settlementId, 'test:1')).toBeNull()
    expect(await attach(place.claim)).toBe(false)
  })

  test.each([
    ['that another one replaced', {}, 'test:0'],
    ['for more finality', { waitUntil: 'finalized' as const }, 'test:1'],
  ])('%s gets nothing from the landing, and its wait goes on', async (_, overrides, waiter) => {
    const { db } = database
    const place = await newBroadcast(db, overrides)
    expect(await land(place, { id: place.settlementId, waiter, name: null })).toEqual([
      { id: place.settlementId, delivered: null },
    ])
    const after = await db.settlement.findUniqueOrThrow({ where: { id: place.settlementId } })
    expect(after).toMatchObject({ state: 'INCLUDED', deliveredAt: null, waiter: 'test:1', waiterUntil: expect.any(Date) })
  })

  test('of a transfer that lands again after a reorganisation got its outcome before, and gets no second one', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const delivery = { id: place.settlementId, waiter: 'test:1', name: null }
    await land(place, delivery)
    await recordUnlanded(db, place)
    expect(await land(place, delivery)).toEqual([{ id: place.settlementId, delivered: null }])
  })

  const land = ({ settlementId, slotId, hash }: Awaited<ReturnType<typeof newBroadcast>>, delivery: Delivery) =>
    recordIncluded(database.db, slotId, [{ settlementId, logIndex: 3 }], newLanding(hash), 1_000, [delivery])
})
