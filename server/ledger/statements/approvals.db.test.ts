import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  newAttempt,
  newClaim,
  newClaimed,
  newLease,
  newTenantOf,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { commitFunding, recordLateApproval, recordUnapproved } from './approvals'

const database = fixture(freshDatabase)

type Lease = Awaited<ReturnType<typeof newLease>>
const fund = (lease: Lease, nonce: bigint, settlementId: string, dayMax = 1_000n) =>
  commitFunding(database.db, lease, nonce, { settlementId, cost: 5n, dayMax }, { ...newAttempt(), kind: 'fund' })

test('a claim gets ether once, and a payer that took it and did not approve is counted once', async () => {
  const { db } = database
  const [{ id }, poor] = [await newClaimed(db), await newClaimed(db)]
  const lease = await newLease(db)
  expect(await fund(lease, 7n, id)).toEqual({ slotId: expect.any(String) })
  expect(await fund(lease, 8n, id)).toBeNull()
  for (const settlementId of [id, id, poor.id]) await recordUnapproved(db, settlementId)
  expect(await db.payerFailure.findMany({ select: { settlementId: true, kind: true } })).toEqual([
    { settlementId: id, kind: 'unapproved' },
  ])
})

test('a payer that is late is counted once its ether was mined, and not before', async () => {
  const { db } = database
  const { id } = await newClaimed(db)
  const funded = await fund(await newLease(db), 7n, id)
  const counted = () => db.payerFailure.count({ where: { settlementId: id } })
  await recordLateApproval(db, id)
  expect(await counted()).toBe(0)
  await db.slot.update({ where: { id: Object(funded).slotId }, data: { state: 'filled' } })
  await recordLateApproval(db, id)
  expect(await counted()).toBe(1)
})

test("all tenants' approvals of a network and day stay below one ceiling, from two signers at once", async () => {
  const { db } = database
  const budget = { budget: 'approvals', network: 'eip155:84532' }
  await db.gasSpend.deleteMany({ where: budget })
  const claims = await Promise.all(Array.from({ length: 5 }, async () => newClaimed(db, { tenantId: await newTenantOf(db) })))
  const [one, two] = [await newLease(db), await newLease(db)]
  let nonces = [7n, 7n]
  const ends: unknown[] = []
  for (const { id } of claims) {
    const both = await Promise.all([fund(one, nonces[0] ?? 0n, id, 12n), fund(two, nonces[1] ?? 0n, id, 12n)])
    nonces = nonces.map((nonce, at) => nonce + (typeof both[at] === 'object' && both[at] !== null ? 1n : 0n))
    ends.push(both.find((end) => end !== null) ?? null)
  }
  expect(ends).toEqual([{ slotId: expect.any(String) }, { slotId: expect.any(String) }, 'day spent', 'day spent', 'day spent'])
  const spent = await db.gasSpend.findMany({ where: budget })
  expect(spent.map((row) => row.spent.toNumber())).toEqual([10])
})

test("a claim with an approval is refused before it is made once the day's ether for approvals is spent; others go on", async () => {
  const { db } = database
  const network = 'eip155:10'
  const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  await db.gasSpend.create({ data: { day, budget: 'approvals', network, spent: 100 } })
  const end = (approvalsBefore: bigint | null) => claimEnd(db, newClaim({ network, limits: { ...WIDE_LIMITS, approvalsBefore } }))
  expect([await end(99n), await end(100n), await end(null)]).toEqual(['approvals', 'claimed', 'claimed'])
})
