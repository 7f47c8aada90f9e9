import { describe, expect, test } from 'vitest'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { startHarness } from '../../test/support/service/harness'
import { MONTHLY } from '../ledger/statements/claim-statement'
import { rejectClaim } from '../ledger/statements/claims'
import { sandboxCaller } from './caller'
import { createRateLimit } from './rate-limit'

const harness = fixture(startHarness)

/** An address in its own /64 of this /48. */
const within = (block: string, at: number) => `${block}:${at.toString(16)}::1`

describe('requests per second', () => {
  /** How many of these concurrent requests pass, each from its own /64. */
  async function passing(addresses: string[], perSecond: number): Promise<number> {
    const limit = createRateLimit()
    const ends = await Promise.allSettled(addresses.map((ip) => limit(sandboxCaller(ip).id, perSecond)))
    return ends.filter(({ status }) => status === 'fulfilled').length
  }

  test('of a /48 are those of eight /64s', async () => {
    expect(
      await passing(
        Array.from({ length: 100 }, (_, at) => within('2001:db8:1', at)),
        5,
      ),
    ).toBe(40)
  })

  test('of a /64 are separate, and its flood does not limit its neighbours', async () => {
    const flood = Array.from({ length: 100 }, () => within('2001:db8:2', 1))
    expect(await passing(flood, 5)).toBe(5)
    expect(await passing([...flood, within('2001:db8:2', 2), within('2001:db8:3', 2)], 5)).toBe(7)
  })

  test('of IPv4 have no wider limit', async () => {
    const addresses = Array.from({ length: 100 }, (_, at) => `192.0.2.${at}`)
    expect(await passing(addresses, 5)).toBe(100)
  })
})

describe('the monthly quota of the sandbox', () => {
  const body = async () => v2Body(await signed(await harness.payer()))
  const usage = (subject: string) => harness.app.db.usage.findMany({ where: { subject, meter: 'verification' } })
  const usedOf = async (subject: string) => (await usage(subject)).map(({ used }) => used)

  test('of a /48 is the quota of eight /64s', async () => {
    const { db } = harness.app
    const [first, second] = [within('2001:db8:4', 1), within('2001:db8:4', 2)]
    expect((await post(harness.app, 'verify', await body(), { ip: first })).status).toBe(200)
    const block = 'ip:2001:db8:4::/48'
    expect(await usedOf(block)).toEqual([1])
    await db.usage.updateMany({ where: { subject: block }, data: { used: 8 * 5_000 - 1 } })
    expect((await post(harness.app, 'verify', await body(), { ip: second })).status).toBe(200)
    const refused = await post(harness.app, 'verify', await body(), { ip: second })
    expect([refused.status, refused.headers.get('x-verification-remaining')]).toEqual([429, '0'])
    expect(refused.body).toMatchObject({ invalidReason: 'quota_exceeded' })
    expect(String(refused.body.error)).toContain('the monthly quota of 40000 verifications of this IPv6 /48 is spent')
    expect([await usedOf(sandboxCaller(second).id), await usedOf(block)]).toEqual([[1], [40_000]])
    expect((await post(harness.app, 'verify', await body(), { ip: within('2001:db8:5', 1) })).status).toBe(200)
  })

  test('returns a unit together with its /64', async () => {
    const { db } = harness.app
    const { id: subject } = sandboxCaller(within('2001:db8:6', 1))
    const used = async () => {
      const rows = await db.usage.findMany({
        where: { subject: { in: [subject, 'ip:2001:db8:6::/48'] } },
        orderBy: { subject: 'asc' },
      })
      return rows.map((row) => row.used)
    }
    const charge = { subject, period: MONTHLY, unitsMax: 1_000, returnCap: 100 }
    const claims = [await newClaimed(db, charge), await newClaimed(db, charge)]
    expect(await used()).toEqual([2, 2])
    for (const { id, waiter } of claims) expect(await rejectClaim(db, id, waiter)).toBe(true)
    expect(await used()).toEqual([0, 0])
  })
})
