import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/database'
import { moveTo, newBroadcast, newClaim, newLanding, SANDBOX } from '../../test/ledger'
import { recordIncluded } from './landings'
import { attachWaiter, claimIntent, deliver, detachWaiter, findIntent, rejectClaim } from './settlements'
import { takeUnit } from './usage'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

async function newTenant(data: { historyEnabled?: boolean; revokedAt?: Date; plan?: string } = {}): Promise<string> {
  const id = uuidv7()
  await database.db.tenant.create({ data: { id, ownerKind: 'system', ownerId: 'quittance', plan: 'growth', ...data } })
  return id
}

describe('a claim', () => {
  test('has one winner of fifty, and everybody finds the same settlement', async () => {
    const { db } = database
    const intentKey = randomBytes(32)
    const claims = Array.from({ length: 50 }, () => newClaim({ intentKey }))
    const won = (await Promise.all(claims.map((claim) => claimIntent(db, claim)))).filter((claimed) => claimed !== null)
    expect(won).toHaveLength(1)
    expect(await findIntent(db, intentKey)).toMatchObject({ id: won[0]?.id, state: 'CLAIMED', tenantId: SANDBOX, txHash: null })
    expect(await db.settlement.count({ where: { intentKey } })).toBe(1)
  })

  test('keeps what the engine needs to finish without the request', async () => {
    const { db } = database
    const claim = newClaim({
      amount: 2n ** 256n - 1n,
      expiresAt: 2n ** 256n - 1n,
      resource: "it's; DROP TABLE",
      transfer: { a: 1 },
    })
    await claimIntent(db, claim)
    const row = await db.settlement.findUniqueOrThrow({ where: { id: claim.id } })
    expect([row.amount.toFixed(), row.expiresAt, row.resource, row.transfer]).toEqual([
      (2n ** 256n - 1n).toString(),
      2n ** 63n - 1n,
      "it's; DROP TABLE",
      { a: 1 },
    ])
    expect([Buffer.from(row.requestHash), row.waiter, row.state]).toEqual([claim.requestHash, 'test:1', 'CLAIMED'])
  })

  test('reads plan and opt-out of its tenant in that very statement', async () => {
    const { db } = database
    const tenantId = await newTenant({ plan: 'starter' })
    const first = newClaim({ tenantId })
    await claimIntent(db, first)
    await db.tenant.update({ where: { id: tenantId }, data: { historyEnabled: false, plan: 'growth' } })
    const second = newClaim({ tenantId })
    await claimIntent(db, second)
    const rows = await db.settlement.findMany({ where: { tenantId }, orderBy: { id: 'asc' } })
    expect(rows.map(({ id, plan, logged }) => [id, plan, logged])).toEqual([
      [first.id, 'starter', true],
      [second.id, 'growth', false],
    ])
  })

  test('is impossible for a tenant that is revoked or unknown', async () => {
    const { db } = database
    const claims = [newClaim({ tenantId: await newTenant({ revokedAt: new Date() }) }), newClaim({ tenantId: uuidv7() })]
    for (const claim of claims) {
      expect(await claimIntent(db, claim)).toBeNull()
      expect(await findIntent(db, claim.intentKey)).toBeNull()
    }
  })

  test('that is rejected frees its intent and gives its unit back, once', async () => {
    const { db } = database
    const claim = newClaim({ caller: 'ip:reject' })
    const { used } = await takeUnit(db, { subject: claim.caller, meter: 'settlement' }, 10)
    await claimIntent(db, { ...claim, period: used.period })
    expect([await rejectClaim(db, claim.id, claim.waiter, 5), await rejectClaim(db, claim.id, claim.waiter, 5)]).toEqual([
      true,
      false,
    ])
    const usage = await db.usage.findFirstOrThrow({ where: { subject: claim.caller } })
    expect([usage.used, usage.returned]).toEqual([0, 1])
    expect(await findIntent(db, claim.intentKey)).toBeNull()
    const again = newClaim({ intentKey: claim.intentKey })
    expect(await claimIntent(db, again)).toEqual({ id: again.id })
    expect(await claimIntent(db, newClaim({ intentKey: claim.intentKey }))).toBeNull()
  })

  test('that another request waits for is not rejected by the one before it', async () => {
    const { db } = database
    const claim = newClaim()
    await claimIntent(db, claim)
    expect(await rejectClaim(db, claim.id, 'someone:else', 5)).toBe(false)
    expect(await rejectClaim(db, claim.id, null, 5)).toBe(false)
    expect(await rejectClaim(db, claim.id, claim.waiter, 5)).toBe(true)
  })

  test('that was signed cannot be rejected any more', async () => {
    const { db } = database
    const { settlementId, claim } = await newBroadcast(db)
    expect(await rejectClaim(db, settlementId, claim.waiter, 5)).toBe(false)
    expect(await claimIntent(db, newClaim({ intentKey: claim.intentKey }))).toBeNull()
  })
})

describe('the one who waits', () => {
  const attach = (claim: ReturnType<typeof newClaim>, changes: object = {}) => {
    const { id, tenantId, caller, requestHash } = claim
    return attachWaiter(database.db, { id, tenantId, caller, requestHash, waiter: 'test:2', deadlineMs: 20_000, ...changes })
  }

  test('is alone until he leaves or his time is over', async () => {
    const { db } = database
    const claim = newClaim()
    await claimIntent(db, claim)
    expect(await attach(claim)).toBe(false)
    // A stranger learns where it stands and drives nobody away.
    expect(await detachWaiter(db, claim.id, 'someone else')).toMatchObject({ state: 'CLAIMED' })
    expect(await attach(claim)).toBe(false)
    expect(await detachWaiter(db, claim.id, 'test:1')).toMatchObject({ state: 'CLAIMED', txHash: null })
    expect(await attach(claim)).toBe(true)
    expect(await attach(claim)).toBe(false)
    await db.settlement.update({ where: { id: claim.id }, data: { waiterUntil: new Date(Date.now() - 1_000) } })
    expect(await attach(claim, { waiter: 'test:3' })).toBe(true)
  })

  test('is one of many who come at once', async () => {
    const { db } = database
    const claim = newClaim()
    await claimIntent(db, claim)
    await detachWaiter(db, claim.id, 'test:1')
    const attached = await Promise.all(Array.from({ length: 20 }, (_, at) => attach(claim, { waiter: `test:${at}` })))
    expect(attached.filter(Boolean)).toHaveLength(1)
  })

  test('is the same caller with the same request, of a settlement that lives', async () => {
    const { db } = database
    const claim = newClaim()
    await claimIntent(db, claim)
    await detachWaiter(db, claim.id, 'test:1')
    const strangers = [
      { tenantId: await newTenant() },
      { caller: 'ip:10.0.0.2' },
      { requestHash: randomBytes(32) },
      { id: uuidv7() },
    ]
    for (const stranger of strangers) expect(await attach(claim, stranger)).toBe(false)
    await moveTo(db, claim.id, 'REJECTED')
    expect(await attach(claim)).toBe(false)
  })

  test('is told an outcome once, when there is one, and nobody after him', async () => {
    const { db } = database
    const place = await newBroadcast(db)
    const { settlementId, claim, hash } = place
    expect(await deliver(db, settlementId, 'test:1')).toBeNull()
    await recordIncluded(db, place, newLanding(hash), 1_000)
    expect(await deliver(db, settlementId, 'someone else')).toBeNull()
    const told = await Promise.all(Array.from({ length: 5 }, () => deliver(db, settlementId, 'test:1')))
    expect(told.filter((outcome) => outcome !== null)).toEqual([{ state: 'INCLUDED', txHash: hash, reason: null }])
    expect(await attach(claim)).toBe(false)
  })
})
