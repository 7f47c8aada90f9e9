import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { fixture } from '../../test/support/fixture'
import { newRow, tenantOf } from '../../test/support/service/history'
import { DAY_MS } from '../base/durations'
import { readKeyActivity } from '../sums/key-activity-queries'
import { noteDay, rollDay } from '../sums/rollup-queries'

const database = fixture(freshDatabase)

const owner = (id: string) => ({ kinds: ['oidc'] as const, id })
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** An owner's key with rows of these ages in days; a failure where the reason is given. */
async function keyWith(id: string, rows: { age: number; reason?: string; network?: string }[]): Promise<string> {
  const { db } = database
  const tenantId = await tenantOf(db, id)
  const data = rows.map(({ age, reason, network }) => ({
    ...newRow({ tenantId, ownerId: id, createdAt: new Date(Date.now() - age * DAY_MS) }),
    ...(reason ? { success: false, errorReason: reason } : {}),
    ...(network ? { network } : {}),
  }))
  await db.history.createMany({ data })
  return tenantId
}

/** Sums all completed days, as the worker does. */
async function rollUp(tenantId: string, ages: number[]): Promise<void> {
  const { db } = database
  await db.$executeRaw`UPDATE "RollupCursor" SET "day" = (now() AT TIME ZONE 'UTC')::date - 20`
  while (await noteDay(db)) {}
  for (const age of ages) await rollDay(db, { tenantId, day: dayOf(new Date(Date.now() - age * DAY_MS)) })
}

test('a key shows the settlements and failures of each day, today among them, and its newest failure', async () => {
  const tenantId = await keyWith('active', [
    { age: 3 },
    { age: 3, reason: 'insufficient_funds' },
    { age: 0, reason: 'invalid_exact_evm_payload_signature' },
    { age: 0 },
    { age: 30 },
  ])
  await rollUp(tenantId, [3])
  const [activity] = await readKeyActivity(database.db, owner('active'), 14)
  expect(activity?.days).toEqual([
    { day: dayOf(new Date(Date.now() - 3 * DAY_MS)), count: 2, failed: 1 },
    { day: dayOf(new Date()), count: 2, failed: 1 },
  ])
  expect(activity?.lastFailure).toMatchObject({ reason: 'invalid_exact_evm_payload_signature' })
})

test('only the named networks count, and keys of others, revoked keys and keys without history do not show', async () => {
  const tenantId = await keyWith('networks', [
    { age: 0, reason: 'insufficient_funds' },
    { age: 0, network: 'eip155:84532' },
  ])
  await tenantOf(database.db, 'networks', 'oidc', { historyEnabled: false })
  const found = await readKeyActivity(database.db, owner('networks'), 14, ['eip155:84532'])
  expect(found).toEqual([{ id: tenantId, days: [{ day: dayOf(new Date()), count: 1, failed: 0 }], lastFailure: null }])
  expect(await readKeyActivity(database.db, owner('unknown'), 14)).toEqual([])
})

test('one key shows its activity also without history or revoked, and never to another owner', async () => {
  const tenantId = await keyWith('one of two', [{ age: 0 }])
  await keyWith('one of two', [{ age: 0 }, { age: 0 }])
  const data = { historyEnabled: false, revokedAt: new Date() }
  await database.db.tenant.update({ where: { id: tenantId }, data })
  const read = (id: string) => readKeyActivity(database.db, owner(id), 30, undefined, tenantId)
  expect(await read('one of two')).toMatchObject([{ id: tenantId, days: [{ count: 1 }] }])
  expect(await read('another')).toEqual([])
})
