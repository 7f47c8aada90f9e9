import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  newAttempt,
  newBroadcast,
  newClaim,
  newKeyOf,
  newLease,
  newTenantOf,
  SANDBOX,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { startCluster } from '../../../test/support/database/postgres'
import { fixture } from '../../../test/support/fixture'
import { EURC, settleTooInTest } from '../../../test/support/payloads/tokens'
import { until } from '../../../test/support/until'
import { connect, dbOf } from '../../db/database'
import { migrate } from '../../db/migrate'
import { type Claim, MONTHLY, writeClaims } from './claim-statement'
import { rejectClaim } from './claims'
import { findIntent } from './settlements'
import { commitSlot } from './slots'

const database = fixture(freshDatabase)
const newTenant = (data = {}) => newTenantOf(database.db, data)
const WIDE = { ...WIDE_LIMITS, payerQueue: 9, partyQueue: 9, payerFailures: 9 }

describe('a claim', () => {
  test('has one winner of fifty, and all find the same settlement', async () => {
    const { db } = database
    const intentKey = randomBytes(32)
    const claims = Array.from({ length: 50 }, () => newClaim({ intentKey }))
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.toSorted()).toEqual(['claimed', ...Array(49).fill('taken')])
    expect(await findIntent(db, intentKey)).toMatchObject({
      id: claims[ends.indexOf('claimed')]?.id,
      state: 'CLAIMED',
      tenantId: SANDBOX,
      txHash: null,
    })
    expect(await db.settlement.count({ where: { intentKey } })).toBe(1)
  })

  test('of rows of channels writes them once it won, each with its total', async () => {
    const { db } = database
    const newId = () => `0x${randomBytes(32).toString('hex')}` as const
    const claimRows = [
      { channelId: newId(), total: 2n ** 127n, signed: 2n ** 128n - 1n },
      { channelId: newId(), total: 1n, signed: 1n },
    ]
    const intentKey = randomBytes(32)
    const claims = [newClaim({ intentKey, claimRows }), newClaim({ intentKey, claimRows }), newClaim()]
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.toSorted()).toEqual(['claimed', 'claimed', 'taken'])
    const written = await db.channelClaim.findMany({ where: { channelId: { in: claimRows.map((row) => row.channelId) } } })
    expect(new Set(written.map(({ settlementId }) => settlementId)).size).toBe(1)
    expect(written.map(({ total, signed }) => [total.toFixed(), signed.toFixed()]).toSorted()).toEqual([
      ['1', '1'],
      [String(2n ** 127n), String(2n ** 128n - 1n)],
    ])
  })

  test.each([
    [[true, true], 'off'],
    [[true, false], 'on'],
    [[false], 'on'],
  ])('waits for the disk unless all of its statement are signed next: %s', async (signedNext, expected) => {
    const claims = signedNext.map((next) => newClaim({ signedNext: next }))
    const waits = await database.db.transaction(async (within) => {
      await writeClaims(dbOf(within), claims)
      const [setting] = await within.query<{ commit: string }>`SELECT current_setting('synchronous_commit') AS "commit"`
      return setting?.commit
    })
    expect(waits).toBe(expected)
  })

  test('is decided with those of the same tick, each by its own tenant and limits', async () => {
    const { db } = database
    const [tenantId, revoked, poor] = [
      await newTenant(),
      await newTenant({ revokedAt: new Date() }),
      randomBytes(20).toString('hex'),
    ]
    const limits = { ...WIDE, payerQueue: 1 }
    const crowd = { payer: 'a crowd', limits }
    const claims = [
      newClaim({ tenantId, caller: tenantId }),
      newClaim({ tenantId: revoked }),
      ...Array.from({ length: 20 }, () => newClaim({ payer: randomBytes(20).toString('hex'), caller: 'many' })),
      newClaim({ ...crowd, caller: 'x' }),
      newClaim({ payer: poor, caller: poor, limits: { ...WIDE, unconfirmed: 999n }, tier: 'flash' }),
    ]
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends).toEqual(['claimed', 'revoked', ...Array(20).fill('claimed'), 'claimed', 'unconfirmed'])
    expect(await db.settlement.count({ where: { id: { in: claims.map(({ id }) => id) } } })).toBe(22)
  })

  test('counts what is unconfirmed in each token apart, and keeps the symbol of its token', async () => {
    settleTooInTest([EURC])
    const { db } = database
    const caller = randomBytes(20).toString('hex')
    const flash = { payer: caller, caller, tier: 'flash', amount: 600n, limits: { ...WIDE, unconfirmed: 1_000n } }
    const dollars = () => newClaim({ ...flash })
    const euros = () => newClaim({ ...flash, asset: EURC.address })
    const claims = [dollars(), euros(), dollars(), euros()]
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.toSorted()).toEqual(['claimed', 'claimed', 'unconfirmed', 'unconfirmed'])
    expect(await claimEnd(db, dollars())).toBe('unconfirmed')
    const symbols = await db.settlement.findMany({ where: { caller }, select: { symbol: true }, orderBy: { symbol: 'asc' } })
    expect(symbols).toEqual([{ symbol: 'EURC' }, { symbol: 'USDC' }])
  })

  test('that the database rejects does not fail those of the same tick', async () => {
    const { db } = database
    const claims = [newClaim(), newClaim({ resource: 'a NUL \u0000' }), newClaim()]
    const ends = await Promise.allSettled(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await db.settlement.count({ where: { id: { in: claims.map(({ id }) => id) } } })).toBe(2)
  })

  test('keeps what the engine needs to finish without the request', async () => {
    const { db } = database
    const claim = newClaim({
      amount: 2n ** 256n - 1n,
      expiresAt: 2n ** 256n - 1n,
      resource: "it's; DROP TABLE",
      transfer: { a: 1 },
    })
    await claimEnd(db, claim)
    const row = await db.settlement.findUniqueOrThrow({ where: { id: claim.id } })
    expect([row.amount.toFixed(), row.expiresAt, row.resource, row.transfer]).toEqual([
      (2n ** 256n - 1n).toString(),
      2n ** 63n - 1n,
      "it's; DROP TABLE",
      { a: 1 },
    ])
    expect([Buffer.from(row.requestHash), row.waiter, row.state]).toEqual([claim.requestHash, 'test:1', 'CLAIMED'])
  })

  test('reads plan and opt-out of its tenant in the same statement', async () => {
    const { db } = database
    const tenantId = await newTenant({ plan: 'starter' })
    const first = newClaim({ tenantId })
    await claimEnd(db, first)
    await db.tenant.update({ where: { id: tenantId }, data: { historyEnabled: false, plan: 'growth' } })
    const second = newClaim({ tenantId })
    await claimEnd(db, second)
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
      expect(await claimEnd(db, claim)).toBe('revoked')
      expect(await findIntent(db, claim.intentKey)).toBeNull()
    }
  })

  test('that is rejected frees its intent and gives its unit back, once', async () => {
    const { db } = database
    const claim = newClaim({ caller: 'ip:reject', subject: 'subject:reject', period: MONTHLY, unitsMax: 1, returnCap: 1 })
    expect(await claimEnd(db, claim)).toBe('claimed')
    expect([await rejectClaim(db, claim.id, claim.waiter), await rejectClaim(db, claim.id, claim.waiter)]).toEqual([true, false])
    const usage = await db.usage.findFirstOrThrow({ where: { subject: claim.subject } })
    expect([usage.used, usage.returned]).toEqual([0, 1])
    expect(await findIntent(db, claim.intentKey)).toBeNull()
    const again = newClaim({ intentKey: claim.intentKey })
    expect(await claimEnd(db, again)).toBe('claimed')
    expect(await claimEnd(db, newClaim({ intentKey: claim.intentKey }))).toBe('taken')
  })

  test('that another request waits for is not rejected by the one before it', async () => {
    const { db } = database
    const claim = newClaim()
    await claimEnd(db, claim)
    expect(await rejectClaim(db, claim.id, 'someone:else')).toBe(false)
    expect(await rejectClaim(db, claim.id, null)).toBe(false)
    expect(await rejectClaim(db, claim.id, claim.waiter)).toBe(true)
  })

  test('that was signed cannot be rejected any more', async () => {
    const { db } = database
    const { settlementId, claim } = await newBroadcast(db)
    expect(await rejectClaim(db, settlementId, claim.waiter)).toBe(false)
    expect(await claimEnd(db, newClaim({ intentKey: claim.intentKey }))).toBe('taken')
  })
})

describe('a claim under a key', () => {
  test('is impossible once the key is revoked or past its grace, and for a key of another tenant', async () => {
    const { db } = database
    const [tenantId, other] = [await newTenant(), await newTenant()]
    const earlier = new Date(Date.now() - 1_000)
    const later = new Date(Date.now() + 60_000)
    const ends: [string, string][] = [
      [await newKeyOf(db, tenantId), 'claimed'],
      [await newKeyOf(db, tenantId, { graceUntil: later }), 'claimed'],
      [await newKeyOf(db, tenantId, { graceUntil: earlier }), 'revoked'],
      [await newKeyOf(db, tenantId, { revokedAt: earlier }), 'revoked'],
      [await newKeyOf(db, other), 'revoked'],
    ]
    for (const [id, end] of ends) expect(await claimEnd(db, newClaim({ tenantId, key: { id, version: 0 } }))).toBe(end)
  })

  test('sees every change of the settings since it was admitted', async () => {
    const { db } = database
    const tenantId = await newTenant()
    const id = await newKeyOf(db, tenantId)
    const claim = (version: number) => claimEnd(db, newClaim({ tenantId, key: { id, version } }))
    expect(await claim(0)).toBe('claimed')
    const changes = [
      { plan: 'starter' },
      { historyEnabled: false },
      { payToAllow: ['0x1'] },
      { maxAmount: 5 },
      { rps: 1 },
      { name: 'x' },
    ]
    for (const [at, data] of changes.entries()) {
      await db.tenant.update({ where: { id: tenantId }, data })
      expect([await claim(at), await claim(at + 1)]).toEqual(['changed', 'claimed'])
    }
  })
})

describe('a claim of a key that guards against second charges', () => {
  const guarded = (payer: string, data: Partial<Claim> = {}) =>
    newClaim({ payer, limits: { ...WIDE, partyQueue: 1_000, payerQueue: 1_000, secondChargeSeconds: 60 }, ...data })

  test('finds one on the same terms that commits while it waits', async () => {
    const { db } = database
    const [first, second] = [guarded('0xa1'), guarded('0xa1')]
    const late = await db.transaction(async (within) => {
      expect(await writeClaims(dbOf(within), [first])).toMatchObject([{ won: true, broken: null }])
      const asked = claimEnd(db, second)
      const isWaiting = async () => {
        const [waiting] = await db.query<{ count: bigint }>`
          SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE l.locktype = 'advisory' AND NOT l.granted AND a.datname = current_database()`
        return waiting?.count === 1n
      }
      await until(isWaiting, 'the second claim to wait')
      // A transaction waits for all that its work returns.
      return { asked }
    })
    expect(await late.asked).toBe('second charge')
    expect(await db.settlement.count({ where: { payer: '0xa1' } })).toBe(1)
  })

  test('is one of fifty at once, and what differs in its terms is let be', async () => {
    const { db } = database
    const claims = Array.from({ length: 50 }, () => guarded('0xa2'))
    const others = [
      guarded('0xa2', { resource: 'http://merchant.test/report' }),
      guarded('0xa2', { amount: 999n }),
      guarded('0xa2', { maximum: 2_000n }),
      guarded('0xa2', { payTo: '0x4444444444444444444444444444444444444444' }),
      guarded('0xa2', { caller: 'ip:10.0.0.2' }),
      guarded('0xa2', { limits: WIDE_LIMITS }),
    ]
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.toSorted()).toEqual(['claimed', ...Array(49).fill('second charge')])
    // The same payment once more is a retry.
    const again = claims[ends.indexOf('claimed')]?.intentKey ?? new Uint8Array()
    expect(await claimEnd(db, guarded('0xa2', { intentKey: again }))).toBe('taken')
    expect(await Promise.all(others.map((claim) => claimEnd(db, claim)))).toEqual(others.map(() => 'claimed'))
  })
})

test('a claim that did not wait for the disk is there with its signed bytes after a crash of the database', async () => {
  const cluster = await startCluster()
  onTestFinished(cluster.remove)
  const url = cluster.url('postgres')
  await migrate(url)
  const before = connect({ url })
  const lease = await newLease(before.db)
  const claim = newClaim({ signedNext: true })
  expect(await claimEnd(before.db, claim)).toBe('claimed')
  const attempt = newAttempt()
  await commitSlot(before.db, lease, 7n, [claim.id], attempt, 1_000)
  await cluster.crash()
  await before.close()
  await cluster.start()
  const after = connect({ url })
  onTestFinished(after.close)
  expect(await findIntent(after.db, claim.intentKey)).toMatchObject({ id: claim.id, state: 'PREPARED', txHash: attempt.hash })
})
