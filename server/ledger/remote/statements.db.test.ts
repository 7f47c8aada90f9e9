import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { newClaimed, newHash, newLanding, stepsOf } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { findByTransaction } from '../../payments/queries'
import { rejectClaim } from '../statements/claims'
import { recordFinal } from '../statements/finality'
import { findLanded, recordUnlanded } from '../statements/landings'
import { takeUnqueued } from '../statements/returned-claims'
import {
  findRemote,
  handOver,
  keepRemote,
  recordAnswer,
  recordRemoteFailed,
  recordRemoteIncluded,
  takeBackHandOver,
} from './statements'

const database = fixture(freshDatabase)

const sender = '0x5555555555555555555555555555555555555555'
const by = { sinceBlock: 7n, senders: [sender], checkInMs: 1_000 }
const newRemote = () => newClaimed(database.db, { laneClass: 'remote' })
const historyOf = (settlementId: string) =>
  database.db.history.findMany({ where: { settlementId }, select: { success: true, txHash: true, errorReason: true } })
const stateOf = async (id: string) => (await database.db.settlement.findUniqueOrThrow({ where: { id } })).state
const expired = { to: 'EXPIRED', reason: 'invalid_exact_evm_payload_authorization_valid_before', txHash: '' } as const

async function newHandedOver() {
  const claim = await newRemote()
  await handOver(database.db, claim.id, by)
  return claim
}

describe('a claim for another facilitator', () => {
  test('is handed over once, by one of many who try, and never again', async () => {
    const { db } = database
    const { id, waiter } = await newRemote()
    const tries = await Promise.all(Array.from({ length: 5 }, () => handOver(db, id, by)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await rejectClaim(db, id, waiter)).toBe(false)
    expect(await takeBackHandOver(db, id)).toBe(true)
    expect([await handOver(db, id, by), await rejectClaim(db, id, waiter), await stateOf(id)]).toEqual([false, true, 'REJECTED'])
    expect((await stepsOf(db, id)).map(([, to]) => to)).toEqual(['CLAIMED', 'PREPARED', 'CLAIMED', 'REJECTED'])
  })

  test('is taken by no lane, and is not handed over once it was given up', async () => {
    const { db } = database
    const { id, waiter, network } = await newRemote()
    for (const laneClass of ['sandbox', 'production'] as const)
      expect(await takeUnqueued(db, [{ network, class: laneClass, addresses: [] }], 'other', 10)).toEqual([])
    expect([await rejectClaim(db, id, waiter), await handOver(db, id, by)]).toEqual([true, false])
  })

  test('of a lane is never handed over', async () => {
    const { id } = await newClaimed(database.db)
    expect(await handOver(database.db, id, by)).toBe(false)
  })
})

describe('a settlement at another facilitator', () => {
  test('keeps the facts of its hand-over and the first reported transaction, and is then not taken back', async () => {
    const { db } = database
    const { id } = await newHandedOver()
    const [first, second] = [newHash(), newHash()]
    for (const hash of [null, first, second]) await recordAnswer(db, id, hash)
    expect(await findRemote(db, [id])).toMatchObject([{ state: 'BROADCAST', txHash: first, sinceBlock: 7n, senders: [sender] }])
    expect([await takeBackHandOver(db, id), await keepRemote(db, [id], 1_000)]).toEqual([false, new Set([id])])
  })

  test('lands once, with its history row, and is found by its transaction', async () => {
    const { db } = database
    const { id, tenantId, caller } = await newHandedOver()
    const landing = newLanding(newHash())
    const recorded = await Promise.all(
      Array.from({ length: 5 }, () => recordRemoteIncluded(db, { settlementId: id, logIndex: 1 }, landing, 1_000)),
    )
    expect(recorded.filter(Boolean)).toHaveLength(1)
    expect(await historyOf(id)).toEqual([{ success: true, txHash: landing.hash, errorReason: null }])
    expect(await findByTransaction(db, { tenantId, caller }, landing.hash)).toMatchObject([{ id }])
    expect([await recordRemoteFailed(db, id, expired), (await keepRemote(db, [id], 1_000)).size]).toEqual([null, 0])
    await recordFinal(db, [{ settlementId: id, blockHash: landing.blockHash }])
    expect(await stateOf(id)).toBe('FINAL')
  })

  test('that a reorganisation removed is in flight again; a failure then corrects its row', async () => {
    const { db } = database
    const { id } = await newHandedOver()
    await recordRemoteIncluded(db, { settlementId: id, logIndex: 1 }, newLanding(newHash()), 1_000)
    const [row] = await findLanded(db, [id])
    await recordUnlanded(db, row ?? { settlementId: '', slotId: '' })
    expect(await findRemote(db, [id])).toMatchObject([{ state: 'BROADCAST' }])
    expect([await recordRemoteFailed(db, id, expired), await stateOf(id)]).toEqual(['REVERSED', 'REVERSED'])
    expect(await historyOf(id)).toEqual([{ success: false, txHash: '', errorReason: 'settlement_reversed' }])
  })

  test('that failed is recorded once', async () => {
    const { id } = await newHandedOver()
    const ends = await Promise.all([1, 2, 3].map(() => recordRemoteFailed(database.db, id, expired)))
    expect(ends.filter((end) => end === 'EXPIRED')).toHaveLength(1)
    expect(await historyOf(id)).toMatchObject([{ success: false }])
  })
})
