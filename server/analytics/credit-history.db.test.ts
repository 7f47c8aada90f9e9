import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { DAY_MS } from '../base/durations'
import { readCreditHistory } from '../sums/credit-days-queries'
import { noteDay, rollDay } from '../sums/rollup-queries'

const database = fixture(freshDatabase)

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

test('the days of an agent count what cost a credit, beside its purchases and what is left, in one environment', async () => {
  const { db } = database
  const wallet = '0x3333333333333333333333333333333333333333'
  const tenantId = await tenantOf(db, wallet, 'wallet')
  await db.tenant.update({ where: { id: tenantId }, data: { plan: 'agent' } })
  const row = (age: number, data: object = {}) => ({
    ...newRow({ tenantId, ownerKind: 'wallet', ownerId: wallet, createdAt: daysAgo(age) }),
    plan: 'agent',
    ...data,
  })
  // Refused before it was sent, which costs nothing; and failed on the chain, which costs a credit.
  const refused = { success: false, errorReason: 'insufficient_funds', settlementId: null }
  const failed = { success: false, errorReason: 'authorization_used_elsewhere', settlementId: randomUUID() }
  await db.history.createMany({
    data: [
      row(2),
      row(2),
      row(2, refused),
      row(2, failed),
      row(0),
      row(0, refused),
      row(0, { network: 'eip155:84532' }),
      row(40),
    ],
  })
  // Another tenant of the wallet, which sells.
  const selling = await tenantOf(db, wallet, 'wallet')
  await db.history.create({ data: { ...newRow({ tenantId: selling, ownerKind: 'wallet', ownerId: wallet }), plan: 'free' } })
  await db.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - 20`
  while (await noteDay(db)) {}
  await rollDay(db, { tenantId, day: dayOf(daysAgo(2)) })
  const entry = { wallet, environment: 'mainnet', kind: 'purchase' }
  await db.creditEntry.createMany({
    data: [
      { ...entry, delta: 500, settlementId: randomUUID(), createdAt: daysAgo(35) },
      { ...entry, delta: 100, settlementId: randomUUID(), createdAt: daysAgo(1) },
      { ...entry, environment: 'testnet', delta: 7, settlementId: randomUUID(), createdAt: daysAgo(1) },
    ],
  })
  await db.creditAccount.create({ data: { wallet, environment: 'mainnet', purchased: 600, used: 31 } })
  const found = await readCreditHistory(db, { wallet, environment: 'mainnet' }, 30)
  expect(found).toMatchObject({
    left: 569,
    isPartial: false,
    days: [
      { day: dayOf(daysAgo(2)), settled: 2, failed: 2, used: 3 },
      { day: dayOf(new Date()), settled: 1, failed: 1, used: 1 },
    ],
    purchases: [{ at: expect.stringMatching(/Z$/), credits: 100 }],
  })
  expect(dayOf(new Date(found.firstAt ?? 0))).toBe(dayOf(daysAgo(35)))
})

test('a wallet that never bought has no credits and no days', async () => {
  const none = await readCreditHistory(database.db, { wallet: '0x4', environment: 'mainnet' }, 30)
  expect(none).toEqual({ left: 0, firstAt: null, days: [], purchases: [], isPartial: false })
})
