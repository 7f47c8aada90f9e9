import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/database'
import { fixture } from '../../../test/fixture'
import { newAttempt, newClaimed, newLease } from '../../../test/ledger'
import { commitFunding, recordUnapproved } from './approvals'

const database = fixture(freshDatabase)

const fund = (lease: Awaited<ReturnType<typeof newLease>>, nonce: bigint, settlementId: string) =>
  commitFunding(database.db, lease, nonce, { settlementId, cost: 5n }, { ...newAttempt(), kind: 'fund' })

test('a claim gets ether once, and a payer that took it and did not approve is counted once', async () => {
  const { db } = database
  const [{ id }, poor] = [await newClaimed(db), await newClaimed(db)]
  const lease = await newLease(db)
  expect(await fund(lease, 7n, id)).toEqual(expect.any(String))
  expect(await fund(lease, 8n, id)).toBeNull()
  for (const settlementId of [id, id, poor.id]) await recordUnapproved(db, settlementId)
  expect(await db.payerFailure.findMany({ select: { settlementId: true, kind: true } })).toEqual([
    { settlementId: id, kind: 'unapproved' },
  ])
})
