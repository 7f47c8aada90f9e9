import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { Prisma } from '../../../generated/prisma/client'
import type { Db } from '../../../server/db/database'
import type { ClaimLimits } from '../../../server/ledger/guards/guards'
import type { Claim } from '../../../server/ledger/statements/claim-statement'
import { type Claimed, claimIntent } from '../../../server/ledger/statements/claims'
import { type Landing, recordIncluded, type SlotPosition } from '../../../server/ledger/statements/landings'
import { type Lease, startNonce, takeLease } from '../../../server/ledger/statements/lanes'
import { commitSlot, markSent, type NewAttempt } from '../../../server/ledger/statements/slots'

export const SANDBOX = '00000000-0000-0000-0000-000000000000'
export const newHash = () => `0x${randomBytes(32).toString('hex')}`

/** Limits that no test reaches by accident. */
export const WIDE_LIMITS: ClaimLimits = {
  secondChargeSeconds: null,
  channelsMax: null,
  freeChannelsMax: 1_000,
  keyChannelsMax: 1_000,
  ownChannelsMax: 1_000,
  payerChannelsMax: 1_000,
  payerQueue: 1_000,
  partyQueue: 1_000,
  payerFailures: 1_000,
  failuresEverywhere: 1_000,
  failuresParties: 1_000,
  guardAt: 1_000,
  guardedPayerQueue: 1_000,
  aloneQueue: 1_000,
  knownFrom: 1_000_000n,
  horizonMs: 600_000,
  gasBudget: 10n ** 18n,
  freeBudget: null,
  approvalsBefore: null,
  gasEach: 1n,
  unconfirmed: null,
}

/** A sandbox claim of a new intent that takes no unit; fields can be overridden. */
export function newClaim(overrides: Partial<Claim> = {}): Claim {
  return {
    id: uuidv7(),
    intentKey: randomBytes(32),
    requestHash: randomBytes(32),
    tenantId: SANDBOX,
    key: null,
    caller: 'ip:10.0.0.1',
    freeFrom: null,
    subject: 'ip:10.0.0.1',
    period: 'none',
    unitsMax: 0,
    returnCap: 5,
    tier: 'sandbox',
    laneClass: 'sandbox',
    queuedBy: null,
    signedNext: false,
    shares: true,
    waitUntil: null,
    paymentIdentifier: null,
    network: 'eip155:84532',
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    payer: '0x1111111111111111111111111111111111111111',
    payTo: '0x2222222222222222222222222222222222222222',
    amount: 1_000n,
    credits: 0n,
    resource: 'http://merchant.test/weather',
    transfer: {},
    declared: {},
    effects: [],
    expiresAt: 2_000_000_000n,
    waiter: 'test:1',
    deadlineMs: 20_000,
    limits: WIDE_LIMITS,
    ...overrides,
    party: overrides.party ?? overrides.caller ?? 'ip:10.0.0.1',
  }
}

/** A new tenant on the plan growth; fields can be overridden. */
export async function newTenantOf(db: Db, data: Partial<Prisma.TenantUncheckedCreateInput> = {}): Promise<string> {
  const id = uuidv7()
  await db.tenant.create({ data: { id, ownerKind: 'system', ownerId: 'quittance', plan: 'growth', ...data } })
  return id
}

/** A key of a tenant with an unknown secret. */
export async function newKeyOf(db: Db, tenantId: string, data: { graceUntil?: Date; revokedAt?: Date } = {}): Promise<string> {
  const id = uuidv7()
  await db.apiKey.create({ data: { id, tenantId, hash: randomBytes(32), prefix: 'qt_test', ...data } })
  return id
}

/** The result of a claim. */
export async function claimEnd(db: Db, claim: Claim): Promise<Claimed> {
  return (await claimIntent(db, claim)).end
}

/** A settlement in state CLAIMED. */
export async function newClaimed(db: Db, overrides: Partial<Claim> = {}): Promise<Claim> {
  const claim = newClaim(overrides)
  const end = await claimEnd(db, claim)
  if (end !== 'claimed' && end !== 'claimed alone') throw new Error(`not claimed: ${end}`)
  return claim
}

/** Records an on-chain failure of a payer at a party, now. */
export async function newFailure(db: Db, of: { payer: string; party: string; network?: string }): Promise<void> {
  const facts = { id: uuidv7(), network: 'eip155:84532', tenantId: SANDBOX, settlementId: uuidv7(), kind: 'reverted' }
  await db.payerFailure.create({ data: { ...facts, ...of } })
}

/** A new lane with a lease; its next nonce is 7. */
export async function newLease(db: Db, leaseMs = 60_000): Promise<Lease> {
  const lane = { network: 'eip155:84532', address: newHash().slice(0, 42), class: 'sandbox' } as const
  const lease = await takeLease(db, lane, { holder: 'test', leaseMs, stealing: false, usable: true })
  if (!lease) throw new Error('the lane is leased elsewhere')
  await startNonce(db, lease, 7n)
  return { ...lease, nextNonce: 7n }
}

export const newAttempt = (): NewAttempt => ({
  kind: 'pay',
  hash: newHash(),
  raw: '0x02',
  gas: 120_000n,
  maxFeePerGas: 3n,
  tipPerGas: 1n,
})

/** A sent settlement in a slot of a new lane. */
export async function newBroadcast(
  db: Db,
  overrides: Partial<Claim> = {},
): Promise<SlotPosition & { hash: string; claim: Claim }> {
  const claim = await newClaimed(db, overrides)
  const attempt = newAttempt()
  const committed = await commitSlot(db, await newLease(db), 7n, [claim.id], attempt, 1_000)
  if (!('slotId' in committed)) throw new Error('not committed')
  await markSent(db, committed.slotId, attempt.hash)
  return { settlementId: claim.id, slotId: committed.slotId, hash: attempt.hash, claim }
}

/** Records that a settlement landed; resolves with false if it was not in flight in that slot. */
export async function includeOne(db: Db, { settlementId, slotId }: SlotPosition, landing: Landing): Promise<boolean> {
  return (await recordIncluded(db, slotId, [{ settlementId, logIndex: 3 }], landing, 1_000)).length === 1
}

/** A landing of that transaction, as the ledger records it. */
export function newLanding(hash: string, overrides: Partial<Landing> = {}): Landing {
  return { hash, block: 10n, blockHash: newHash(), succeeded: true, gasUsed: 86_000n, gasPrice: 2n, l1Fee: 5n, ...overrides }
}

/** Moves a settlement through these states by legal transitions, without their other effects. */
export async function moveTo(db: Db, id: string, ...states: string[]): Promise<void> {
  for (const state of states)
    await db.$executeRaw(Prisma.sql`UPDATE "Settlement" SET "state" = ${state} WHERE "id" = ${id}::uuid`)
}

/** The recorded transitions of a settlement, in order. */
export async function stepsOf(db: Db, settlementId: string): Promise<[string | null, string][]> {
  const steps = await db.step.findMany({ where: { settlementId }, orderBy: { seq: 'asc' } })
  return steps.map(({ from, to }) => [from, to])
}
