import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { testLog } from '../../test/support/logs'
import { from, newSubject, tenantOf } from '../../test/support/service/history'
import { anotherAgentKey, mintAgentKey } from '../agents/keys'
import { createApp, type RunningApp } from '../boot/app'
import { readEnv } from '../env/env'
import { listOwnKeys, makeOwnKey, REVOKED_SHOWN, revokeOwnKey, rotateOwnKey } from './own-keys'
import type { Owner } from './tenant-queries'
import { KEY_RATE } from './tenants'

let database: FreshDatabase
/** Two instances on one database. */
let apps: [RunningApp, RunningApp]
beforeAll(async () => {
  database = await freshDatabase()
  const start = () => createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url }), testLog())
  apps = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await database.close()
})

/** Creates keys on both instances in turn, and revokes each. */
async function churn(owner: Owner, count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    const app = apps[made % 2 === 0 ? 0 : 1]
    const { tenant } = await makeOwnKey(app, from(owner), { name: '' })
    await revokeOwnKey(app, owner, tenant.id)
  }
}

/** Moves what an owner made into the past. */
const age = ({ id }: Owner, minutes: number) =>
  database.db.$executeRaw`
    UPDATE "Owner" SET "keysMadeAt" = ARRAY(SELECT at - ${minutes}::int * interval '1 minute' FROM unnest("keysMadeAt") AS made(at))
    WHERE "id" = ${id}`

const REFUSED = {
  refusal: 'too_many',
  message: expect.stringMatching(
    /^you can create 20 keys an hour and 100 a day; create the next one at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  ),
}

test('live keys are listed first, before newer revoked ones; of those only the newest are listed', async () => {
  const owner = newSubject()
  const { tenant } = await makeOwnKey(apps[0], from(owner), { name: 'live' })
  const revokedIds: string[] = []
  for (let made = 0; made < 120; made++) revokedIds.push(await tenantOf(database.db, owner.id))
  await database.db.tenant.updateMany({ where: { id: { in: revokedIds } }, data: { revokedAt: new Date() } })
  const listed = (await listOwnKeys(apps[0], owner)).map(({ tenant: { id } }) => id)
  expect(listed).toEqual([tenant.id, ...revokedIds.toReversed().slice(0, REVOKED_SHOWN)])
})

test('a merchant creates and rotates 20 keys an hour over all instances, others are not limited, and an hour later it continues', async () => {
  const [one, other] = apps
  const owner = newSubject()
  const { tenant } = await makeOwnKey(one, from(owner), { name: 'kept' })
  await churn(owner, KEY_RATE.hour - 2)
  await rotateOwnKey(other, owner, tenant.id, 0)
  await expect(makeOwnKey(one, from(owner), { name: 'one too many' })).rejects.toMatchObject(REFUSED)
  await expect(rotateOwnKey(other, owner, tenant.id, 0)).rejects.toMatchObject(REFUSED)
  await makeOwnKey(one, from(newSubject()), { name: 'another merchant' })
  await age(owner, 59)
  const refusal: unknown = await makeOwnKey(one, from(owner), { name: 'too soon' }).catch((error: unknown) => error)
  const { retryAfterSeconds } = Object(Reflect.get(Object(refusal), 'facts')) as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(61)
  await age(owner, 2)
  await rotateOwnKey(one, owner, tenant.id, 0)
})

test('a merchant creates 100 keys a day, and the database stores no more times than that', async () => {
  const owner = newSubject()
  for (let made = 0; made < KEY_RATE.day; made += KEY_RATE.hour) {
    await age(owner, 61)
    await churn(owner, KEY_RATE.hour)
  }
  await age(owner, 61)
  await expect(makeOwnKey(apps[0], from(owner), { name: 'too many' })).rejects.toMatchObject(REFUSED)
  await age(owner, 24 * 60)
  await makeOwnKey(apps[0], from(owner), { name: 'the next day' })
  expect(await database.db.owner.findMany({ where: { id: owner.id } })).toMatchObject([{ keysMadeAt: [expect.any(Date)] }])
})

test('concurrent calls share one rate', async () => {
  const owner = newSubject()
  await churn(owner, KEY_RATE.hour - 3)
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => makeOwnKey(apps[at % 2 === 0 ? 0 : 1], from(owner), { name: '' })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(REFUSED)
})

test('an agent creates 20 keys an hour; a key that comes with credits is not counted', async () => {
  const wallet = '0x2222222222222222222222222222222222222222'
  await mintAgentKey(apps[0], wallet)
  for (let made = 0; made < KEY_RATE.hour; made++) await anotherAgentKey(apps[made % 2 === 0 ? 0 : 1], wallet)
  await expect(anotherAgentKey(apps[0], wallet)).rejects.toMatchObject(REFUSED)
  expect(await mintAgentKey(apps[0], wallet)).not.toBeNull()
})
