import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { includeOne, newBroadcast, newHash, newLanding, SANDBOX, stepsOf } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { recordFinal } from './finality'
import { recordFailedJudgement } from './history'
import {
  findLanded,
  recordFailed,
  recordMined,
  recordOtherBlock,
  recordPreconfirmed,
  recordReturned,
  recordUnlanded,
  recordUnpreconfirmed,
  recordUnsent,
} from './landings'

/** A judgement that costs nothing. */
const UNPRICED = { intentKey: null, unit: null, unpayable: null }

const database = fixture(freshDatabase)

const historyOf = (settlementId: string) =>
  database.db.history.findMany({
    where: { settlementId },
    select: { success: true, txHash: true, errorReason: true, payer: true, plan: true, tenantId: true },
  })
const stateOf = async (id: string) => {
  const { state, txHash, block, blockHash, reason } = await database.db.settlement.findUniqueOrThrow({ where: { id } })
  return { state, txHash, block, blockHash, reason }
}

const reverted = (txHash: string) => ({
  to: 'REVERTED' as const,
  counts: 'everywhere' as const,
  reason: 'invalid_exact_evm_transaction_failed' as const,
  landing: null,
  txHash,
})

describe('a transfer that landed', () => {
  test('is included, with its receipt and its one history row, even when it is recorded twice', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const landing = newLanding(place.hash)
    const recorded = await Promise.all(Array.from({ length: 5 }, () => includeOne(db, place, landing)))
    expect(recorded.filter(Boolean)).toHaveLength(1)
    const { block, blockHash } = landing
    expect(await stateOf(place.settlementId)).toEqual({ state: 'INCLUDED', txHash: place.hash, block, blockHash, reason: null })
    expect(await historyOf(place.settlementId)).toEqual([
      { success: true, txHash: place.hash, errorReason: null, payer: place.claim.payer, plan: 'sandbox', tenantId: SANDBOX },
    ])
    expect(await db.attempt.findUniqueOrThrow({ where: { hash: place.hash } })).toMatchObject({
      block,
      succeeded: true,
      gasUsed: 86_000n,
      gasPrice: 2n,
      l1Fee: 5n,
    })
    expect((await db.slot.findUniqueOrThrow({ where: { id: place.slotId } })).state).toBe('filled')
    expect(await findLanded(db, [place.settlementId])).toMatchObject([{ settlementId: place.settlementId, txHash: place.hash }])
  })

  test('in a slot that it has left changes nothing', async () => {
    const { db } = database
    const [place, other] = [await newBroadcast(db), await newBroadcast(db)]
    const wrong = { settlementId: place.settlementId, slotId: other.slotId }
    expect(await includeOne(db, wrong, newLanding(place.hash))).toBe(false)
    expect(await recordFailed(db, wrong, reverted(place.hash))).toBeNull()
    expect([(await stateOf(place.settlementId)).state, await historyOf(place.settlementId)]).toEqual(['BROADCAST', []])
  })

  test('is final only in the block in which it was seen', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const [landing, moved] = [newLanding(place.hash), newLanding(place.hash, { block: 11n })]
    await includeOne(db, place, landing)
    await recordOtherBlock(db, place, moved, 9)
    await recordFinal(db, [{ ...place, blockHash: landing.blockHash }])
    expect(await stateOf(place.settlementId)).toMatchObject({ state: 'INCLUDED', block: 11n, blockHash: moved.blockHash })
    await recordFinal(db, [{ ...place, blockHash: moved.blockHash }])
    expect((await stateOf(place.settlementId)).state).toBe('FINAL')
    expect(await findLanded(db, [place.settlementId])).toEqual([])
    expect(await historyOf(place.settlementId)).toHaveLength(1)
  })

  test('of a tenant that opted out leaves no history, in any state', async () => {
    const { db } = database
    const tenantId = crypto.randomUUID()
    await db.tenant.create({
      data: { id: tenantId, ownerKind: 'system', ownerId: 'quittance', plan: 'growth', historyEnabled: false },
    })
    const [good, bad] = [await newBroadcast(db, { tenantId }), await newBroadcast(db, { tenantId })]
    await includeOne(db, good, newLanding(good.hash))
    await recordFailed(db, bad, reverted(bad.hash))
    const judged = {
      id: uuidv7(),
      tenantId,
      caller: `tenant:${tenantId}`,
      tier: 'standard',
      payer: '',
      payTo: 'x',
      network: 'x',
      resource: '',
      amount: 1n,
      symbol: 'USDC',
      errorReason: 'unknown',
      rowsMax: 10,
    }
    await recordFailedJudgement(db, { ...UNPRICED, row: judged })
    expect(await db.history.count({ where: { tenantId } })).toBe(0)
    expect(await db.tally.count({ where: { subject: judged.caller } })).toBe(0)
    expect([(await stateOf(good.settlementId)).state, (await stateOf(bad.settlementId)).state]).toEqual(['INCLUDED', 'REVERTED'])
  })
})

describe('a transfer that failed', () => {
  test('is terminal, with the reason and one history row', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    await recordMined(db, newLanding(place.hash, { succeeded: false }))
    const recorded = await Promise.all([1, 2, 3].map(() => recordFailed(db, place, reverted(place.hash))))
    expect(recorded.filter(Boolean)).toHaveLength(1)
    const reason = 'invalid_exact_evm_transaction_failed'
    expect(await stateOf(place.settlementId)).toMatchObject({ state: 'REVERTED', reason })
    expect(await historyOf(place.settlementId)).toMatchObject([{ success: false, txHash: place.hash, errorReason: reason }])
    expect(await includeOne(db, place, newLanding(place.hash))).toBe(false)
  })

  test('after it had landed is reversed, and its one row says so', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    await includeOne(db, place, newLanding(place.hash))
    const [before] = await db.history.findMany({ where: { settlementId: place.settlementId } })
    await recordUnlanded(db, place)
    expect(await stateOf(place.settlementId)).toMatchObject({ state: 'BROADCAST', block: null, blockHash: null })
    expect((await db.slot.findUniqueOrThrow({ where: { id: place.slotId } })).state).toBe('open')
    expect(await recordFailed(db, place, reverted(place.hash))).toBe('REVERSED')

    expect(await stateOf(place.settlementId)).toMatchObject({ state: 'REVERSED', reason: 'settlement_reversed' })
    expect(await historyOf(place.settlementId)).toMatchObject([{ success: false, errorReason: 'settlement_reversed' }])
    const [after] = await db.history.findMany({ where: { settlementId: place.settlementId } })
    expect([after?.id, after?.createdAt]).toEqual([before?.id, before?.createdAt])
    expect((await stepsOf(db, place.settlementId)).map(([, to]) => to)).toEqual([
      'CLAIMED',
      'PREPARED',
      'BROADCAST',
      'INCLUDED',
      'BROADCAST',
      'REVERSED',
    ])
  })

  test('as a claim again is terminal too, and reversed when it was a success before', async () => {
    const { db } = database
    const [recorded, unanswered] = [await newBroadcast(db), await newBroadcast(db)]
    expect(await recordPreconfirmed(db, recorded.slotId, [recorded.settlementId], recorded.hash)).toEqual([recorded.settlementId])
    await recordUnpreconfirmed(db, recorded)
    for (const { slotId, settlementId, hash } of [recorded, unanswered])
      await recordReturned(db, slotId, [settlementId], newLanding(hash))
    const reason = 'invalid_exact_evm_payload_authorization_valid_before' as const
    const end = ({ settlementId, hash: txHash }: typeof recorded) =>
      recordUnsent(db, settlementId, { to: 'EXPIRED', counts: 'everywhere', reason, txHash })
    expect([await end(recorded), await end(unanswered), await end(recorded)]).toEqual(['REVERSED', 'EXPIRED', null])
    expect(await stateOf(recorded.settlementId)).toMatchObject({ state: 'REVERSED', reason: 'settlement_reversed' })
    expect(await historyOf(recorded.settlementId)).toMatchObject([{ success: false, errorReason: 'settlement_reversed' }])
    expect(await historyOf(unanswered.settlementId)).toMatchObject([{ success: false, errorReason: reason }])
  })

  test('that lands again after a reorganisation is a success as before, with one row', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    await includeOne(db, place, newLanding(place.hash))
    await recordUnlanded(db, place)
    const again = newLanding(place.hash, { block: 12n })
    expect(await includeOne(db, place, again)).toBe(true)
    expect(await stateOf(place.settlementId)).toMatchObject({ state: 'INCLUDED', block: 12n, blockHash: again.blockHash })
    expect(await historyOf(place.settlementId)).toMatchObject([{ success: true, errorReason: null }])
  })
})

test('a judged failure is written with the plan and the owner of its tenant', async () => {
  const { db } = database
  const payTo = newHash().slice(0, 42)
  const facts = {
    caller: 'ip:10.0.0.1',
    tier: 'sandbox',
    payTo,
    network: 'eip155:84532',
    resource: 'http://merchant.test',
    amount: 2n ** 256n - 1n,
    symbol: 'EURC',
  }
  const judged = { id: uuidv7(), tenantId: SANDBOX, payer: '', errorReason: 'insufficient_funds', rowsMax: 10 }
  await recordFailedJudgement(db, { ...UNPRICED, row: { ...judged, ...facts } })
  const [row] = await db.history.findMany({ where: { payTo } })
  expect({ ...row, amount: row?.amount.toFixed() }).toMatchObject({
    ...facts,
    amount: (2n ** 256n - 1n).toString(),
    tenantId: SANDBOX,
    ownerKind: 'system',
    ownerId: 'quittance',
    plan: 'sandbox',
    settlementId: null,
    payer: '',
    success: false,
    txHash: '',
    errorReason: 'insufficient_funds',
  })
})
