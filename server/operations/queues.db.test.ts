import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newClaimed, newTenantOf, SANDBOX } from '../../test/support/database/ledger'
import { newDelivery, newEndpoint } from '../../test/support/database/webhooks'
import { fixture } from '../../test/support/fixture'
import { rejectClaim } from '../ledger/statements/claims'
import { readFailingWebhooks, readQueues, readSpend, readStuck } from './queries'

const database = fixture(freshDatabase)

const longAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('what is on its way', () => {
  test('is counted by network and step, with its oldest; what ended is not in it', async () => {
    const { db } = database
    const [old] = [await newClaimed(db), await newClaimed(db)]
    await newClaimed(db, { network: 'eip155:8453', laneClass: 'production' })
    const freed = await newClaimed(db)
    await rejectClaim(db, freed.id, freed.waiter)
    await db.settlement.update({ where: { id: old.id }, data: { createdAt: longAgo(5) } })
    const queues = await readQueues(db)
    expect(queues).toMatchObject([
      { network: 'eip155:8453', claimed: 1, prepared: 0, broadcast: 0 },
      { network: 'eip155:84532', claimed: 2, prepared: 0, broadcast: 0 },
    ])
    expect(queues[1]?.oldest.getTime()).toBeLessThan(longAgo(4).getTime())
    expect(await readStuck(db, { seconds: 60, limit: 10 })).toMatchObject([
      { id: old.id, state: 'CLAIMED', amount: '1000', tenantId: SANDBOX },
    ])
  })
})

describe('failing webhooks', () => {
  test('are enabled, and their pending deliveries failed twice; what was delivered or failed once does not count', async () => {
    const { db } = database
    const made = async (host: string, data = {}) =>
      (await newEndpoint(db, randomBytes(32), { url: `https://${host}/in?x=1`, ownerId: host, ...data })).id
    const [bad, fine, off] = [await made('bad.com'), await made('fine.com'), await made('off.com', { disabledAt: new Date() })]
    const twice = { failures: 2, tries: 2 }
    await newDelivery(db, bad, 'bad.com', { ...twice, createdAt: longAgo(9) })
    await newDelivery(db, bad, 'bad.com', { failures: 3, tries: 3, createdAt: longAgo(5) })
    await newDelivery(db, bad, 'bad.com')
    await newDelivery(db, fine, 'fine.com', { failures: 1, tries: 1 })
    await newDelivery(db, fine, 'fine.com', { ...twice, state: 'delivered' })
    await newDelivery(db, off, 'off.com', twice)
    const [one, ...others] = await readFailingWebhooks(db, 10)
    expect(others).toEqual([])
    expect(one).toMatchObject({ id: bad, ownerId: 'bad.com', host: 'bad.com', waiting: 2 })
    expect(one?.since.getTime()).toBeLessThan(longAgo(8).getTime())
  })
})

describe('what was spent', () => {
  test('is summed by network and class over the days asked for, from the first of them that has any', async () => {
    const { db } = database
    const tenantId = await newTenantOf(db)
    const day = (before: number) => new Date(new Date().toISOString().slice(0, 10)).getTime() - before * 86_400_000
    const spent = (tenant: string, before: number, amount: string, network = 'eip155:84532') =>
      db.sponsorSpend.create({ data: { tenantId: tenant, network, day: new Date(day(before)), spent: amount } })
    await spent(tenantId, 0, '300000000000000000000')
    await spent(tenantId, 2, '5')
    await spent(tenantId, 7, '999')
    await spent(SANDBOX, 1, '70')
    const rows = await readSpend(db, SANDBOX, 7)
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { network: 'eip155:84532', sandbox: false, spent: '300000000000000000005', days: 3 },
        { network: 'eip155:84532', sandbox: true, spent: '70', days: 2 },
      ]),
    )
  })
})
