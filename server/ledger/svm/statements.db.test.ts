import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { newClaimed, newTenantOf, stepsOf } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { findByTransaction } from '../../payments/queries'
import { rejectClaim } from '../statements/claims'
import { recordFinal } from '../statements/finality'
import { findLanded, recordUnlanded } from '../statements/landings'
import { commitSigned, findSvm, keepSvm, markSvmSent, recordOtherSlot, recordSvmFailed, recordSvmIncluded } from './statements'

const database = fixture(freshDatabase)

const NETWORK = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const FEE = 10_001n
const EXPIRED = { to: 'EXPIRED', counts: 'everywhere', reason: 'settle_exact_svm_block_height_exceeded' } as const
const REVERTED = { to: 'REVERTED', counts: 'everywhere', reason: 'invalid_exact_svm_transaction_failed' } as const
const newSignature = () => randomBytes(48).toString('hex')
const attemptOf = (settlementId: string) => ({
  settlementId,
  signature: newSignature(),
  raw: 'AQ==',
  fee: FEE,
  sinceSlot: 77n,
  checkInMs: 1_000,
})
const newSvm = (overrides = {}) =>
  newClaimed(database.db, { network: NETWORK, expiresAt: 500n, transfer: { source: 'account' }, ...overrides })
const historyOf = (settlementId: string) =>
  database.db.history.findMany({ where: { settlementId }, select: { success: true, txHash: true, errorReason: true } })
const stateOf = async (id: string) => (await database.db.settlement.findUniqueOrThrow({ where: { id } })).state
const spentBy = async (tenantId: string) => {
  const rows = await database.db.sponsorSpend.findMany({ where: { tenantId, network: NETWORK } })
  return rows.map(({ spent }) => spent.toFixed())
}

async function newSigned(overrides = {}) {
  const claim = await newSvm(overrides)
  const attempt = attemptOf(claim.id)
  await commitSigned(database.db, attempt)
  return { ...claim, signature: attempt.signature }
}

describe('a claim on Solana', () => {
  test('gets one signature of many tries, and is then never freed', async () => {
    const { db } = database
    const { id, waiter } = await newSvm()
    const attempts = Array.from({ length: 5 }, () => attemptOf(id))
    const tries = []
    for (const attempt of attempts) tries.push(await commitSigned(db, attempt))
    expect(tries).toEqual([true, false, false, false, false])
    expect(await db.svmAttempt.findMany({ where: { settlementId: id } })).toMatchObject([{ signature: attempts[0]?.signature }])
    expect([await rejectClaim(db, id, waiter), await stateOf(id)]).toEqual([false, 'PREPARED'])
  })

  test('that was freed is not signed, also when it is committed in one moment with others', async () => {
    const { db } = database
    const claims = await Promise.all([newSvm(), newSvm(), newSvm()])
    const [, freed] = claims
    await rejectClaim(db, freed?.id ?? '', freed?.waiter ?? '')
    const committed = await Promise.all(claims.map(({ id }) => commitSigned(db, attemptOf(id))))
    expect(committed).toEqual([true, false, true])
    expect(await db.svmAttempt.count({ where: { settlementId: freed?.id ?? '' } })).toBe(0)
  })

  test('keeps the last height at which it can land and a slot before it', async () => {
    const { id, signature } = await newSigned()
    expect(await findSvm(database.db, [id])).toMatchObject([
      {
        settlementId: id,
        state: 'PREPARED',
        signature,
        raw: 'AQ==',
        lastHeight: 500n,
        sinceSlot: 77n,
        source: 'account',
        amount: 1_000n,
        fee: FEE,
      },
    ])
  })
})

describe('a settlement on Solana', () => {
  test('is sent, lands and becomes final in legal steps, and is found by its signature', async () => {
    const { db } = database
    const { id, tenantId, caller, signature } = await newSigned()
    await markSvmSent(db, id)
    expect(await recordSvmIncluded(db, [{ settlementId: id, slot: 90n }], 1_000)).toEqual([id])
    await recordFinal(db, [{ settlementId: id, blockHash: '90' }])
    expect((await stepsOf(db, id)).map(([, to]) => to)).toEqual(['CLAIMED', 'PREPARED', 'BROADCAST', 'INCLUDED', 'FINAL'])
    expect(await historyOf(id)).toEqual([{ success: true, txHash: signature, errorReason: null }])
    expect(await findByTransaction(db, { tenantId, caller }, signature)).toMatchObject([{ id, txHash: signature }])
  })

  test('lands once, and many land in one statement, each with its own signature in the history', async () => {
    const { db } = database
    const signed = await Promise.all([newSigned(), newSigned(), newSigned()])
    const landings = signed.map(({ id }, at) => ({ settlementId: id, slot: BigInt(100 + at) }))
    const recorded = await Promise.all([1, 2, 3].map(() => recordSvmIncluded(db, landings, 1_000)))
    expect(recorded.flat().sort()).toEqual(signed.map(({ id }) => id).sort())
    for (const { id, signature } of signed) expect(await historyOf(id)).toMatchObject([{ success: true, txHash: signature }])
    expect(
      (
        await keepSvm(
          db,
          signed.map(({ id }) => id),
          1_000,
        )
      ).size,
    ).toBe(0)
  })

  test('costs its tenant its fee once, though a fork took it back and it landed again elsewhere', async () => {
    const { db } = database
    const tenantId = await newTenantOf(db)
    const { id } = await newSigned({ tenantId })
    await recordSvmIncluded(db, [{ settlementId: id, slot: 90n }], 1_000)
    const [row] = await findLanded(db, [id])
    await recordUnlanded(db, row ?? { settlementId: '', slotId: null })
    expect(await stateOf(id)).toBe('BROADCAST')
    await recordSvmIncluded(db, [{ settlementId: id, slot: 95n }], 1_000)
    await recordOtherSlot(db, id, 96n)
    expect(await findLanded(db, [id])).toMatchObject([{ block: 96n, blockHash: '96' }])
    expect(await spentBy(tenantId)).toEqual([FEE.toString()])
  })

  test("of a free key counts for the gas budget of all free keys, another's in the same statement does not", async () => {
    const { db } = database
    const [mine, other] = [
      await newSigned({ party: 'owner:wallet:W:free', freeFrom: 'W' }),
      await newSigned({ tenantId: await newTenantOf(db) }),
    ]
    const landed = [mine, other].map(({ id }) => ({ settlementId: id, slot: 90n }))
    await recordSvmIncluded(db, landed, 1_000)
    const together = await db.gasSpend.findMany({ where: { network: NETWORK, budget: 'free' } })
    expect(together.map(({ spent }) => spent.toFixed())).toEqual([FEE.toString()])
  })

  test('that failed on the chain has cost its fee, one that never landed has not', async () => {
    const { db } = database
    const tenantId = await newTenantOf(db)
    const [failed, gone] = [await newSigned({ tenantId }), await newSigned({ tenantId })]
    const reverted = await recordSvmFailed(db, REVERTED, [{ settlementId: failed.id, slot: 91n }])
    expect(reverted).toEqual(new Map([[failed.id, 'REVERTED']]))
    const ends = await Promise.all([1, 2, 3].map(() => recordSvmFailed(db, EXPIRED, [{ settlementId: gone.id, slot: null }])))
    expect(ends.flatMap((end) => [...end.values()])).toEqual(['EXPIRED'])
    expect(await spentBy(tenantId)).toEqual([FEE.toString()])
    expect(await historyOf(gone.id)).toEqual([
      { success: false, txHash: gone.signature, errorReason: 'settle_exact_svm_block_height_exceeded' },
    ])
  })

  test("that expired is its payer's failure only when a node took it, and another landed meanwhile or its blockhash was old", async () => {
    const { db } = database
    const payers = { refused: 'R', alone: 'A', old: 'O', beside: 'B' }
    const claims = {
      refused: await newSigned({ payer: payers.refused, transfer: { left: 20 } }),
      alone: await newSigned({
        payer: payers.alone,
        transfer: { left: 140 },
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      }),
      old: await newSigned({ payer: payers.old, transfer: { left: 20 } }),
      beside: await newSigned({ payer: payers.beside, transfer: { left: 140 } }),
    }
    for (const one of [claims.alone, claims.old, claims.beside]) await markSvmSent(db, one.id)
    const landing = await newSigned({ payer: 'landed' })
    await recordSvmIncluded(db, [{ settlementId: landing.id, slot: 90n }], 1_000)
    for (const { id } of Object.values(claims)) await recordSvmFailed(db, EXPIRED, [{ settlementId: id, slot: null }])
    const counted = await db.payerFailure.findMany({ where: { payer: { in: Object.values(payers) } }, orderBy: { payer: 'asc' } })
    expect(counted.map(({ payer }) => payer)).toEqual([payers.beside, payers.old])
  })

  test('that had landed and is gone for good corrects its history row', async () => {
    const { db } = database
    const { id } = await newSigned()
    await recordSvmIncluded(db, [{ settlementId: id, slot: 90n }], 1_000)
    const [row] = await findLanded(db, [id])
    await recordUnlanded(db, row ?? { settlementId: '', slotId: null })
    expect(await recordSvmFailed(db, EXPIRED, [{ settlementId: id, slot: null }])).toEqual(new Map([[id, 'REVERSED']]))
    expect(await historyOf(id)).toMatchObject([{ success: false, errorReason: 'settlement_reversed' }])
  })
})
