import { beforeAll, describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { evmWallet } from '../../test/support/payloads/sign-in'
import { newIp, startReading } from '../../test/support/service/history'
import { bearer } from '../../test/support/service/session-requests'
import { walletKeysOf } from '../../test/support/service/wallet-keys'
import { openSession } from '../sign-in/sessions'
import { OWN_KEYS_MAX } from './own-keys'
import { KEY_RATE } from './tenants'

const harness = fixture(startReading)
let keys: ReturnType<typeof walletKeysOf>
beforeAll(() => {
  keys = walletKeysOf(harness.app)
})

/** The session of a wallet, a new one if unset. */
async function session(wallet = evmWallet().address.toLowerCase()): Promise<Record<string, string>> {
  return bearer((await openSession(harness.app, wallet)).token)
}

/** The statuses of keys that new wallets make from this address, one after the other. */
async function fromAddress(ip: () => string, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let made = 0; made < count; made++) statuses.push((await keys.create(await session(), { ip: ip() })).status)
  return statuses
}

/** Sets what a subject counts now; an earlier key of it made the count. */
const counted = (subject: string, count: number) =>
  harness.app.db.tally.updateMany({ where: { subject, kind: 'wallet key' }, data: { count } })

const tenants = () => harness.app.db.tenant.count({ where: { ownerKind: 'wallet' } })

describe('a wallet', () => {
  test('has at most ten live free keys, also with concurrent calls, and refused ones count for no address', async () => {
    const [headers, ip] = [await session(), newIp()]
    const answers = await Promise.all(Array.from({ length: OWN_KEYS_MAX + 5 }, () => keys.create(headers, { ip })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(OWN_KEYS_MAX).fill(201), ...Array<number>(5).fill(409)])
    const [{ id = '' } = {}] = await keys.listed(headers)
    await keys.revoke(headers, id)
    expect((await keys.create(headers, { ip })).status).toBe(201)
    const tallies = await harness.app.db.tally.findMany({ where: { subject: `keys:${ip}` } })
    expect(tallies.map(({ count }) => count)).toEqual([OWN_KEYS_MAX + 1, OWN_KEYS_MAX + 1])
  })

  test('makes 20 keys an hour, from any address', async () => {
    const headers = await session()
    for (let made = 0; made < KEY_RATE.hour; made++) await keys.revoke(headers, (await keys.made(headers)).key_id)
    const { status, body, headers: answered } = await keys.create(headers)
    expect([status, body]).toEqual([429, { error: expect.stringMatching(/^you can create 20 keys an hour and 100 a day; /) }])
    expect(Number(answered.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('an address', () => {
  test('makes 20 keys an hour for all its wallets, and what is refused creates nothing', async () => {
    const ip = newIp()
    expect(await fromAddress(() => ip, 1)).toEqual([201])
    await counted(`keys:${ip}`, KEY_RATE.hour - 1)
    expect(await fromAddress(() => ip, 1)).toEqual([201])
    const before = await tenants()
    const answer = await keys.create(await session(), { ip })
    expect([answer.status, answer.body]).toEqual([
      429,
      { error: expect.stringMatching(/^wallets of your address can create 20 keys an hour; /) },
    ])
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    expect(await tenants()).toBe(before)
    expect(await fromAddress(newIp, 1)).toEqual([201])
  })

  test('makes 100 keys a day', async () => {
    const ip = newIp()
    await fromAddress(() => ip, 1)
    const today = new Date().toISOString().slice(0, 10)
    const where = { subject: `keys:${ip}`, period: today }
    expect(await harness.app.db.tally.updateMany({ where, data: { count: KEY_RATE.day } })).toEqual({ count: 1 })
    const { body } = await keys.create(await session(), { ip })
    expect(body).toEqual({ error: expect.stringMatching(/^wallets of your address can create 100 keys a day; /) })
  })

  test('of IPv6 is its /64', async () => {
    await fromAddress(() => '2001:db8:1:2::1', 1)
    await counted('keys:2001:db8:1:2::/64', KEY_RATE.hour - 1)
    let host = 1
    expect(await fromAddress(() => `2001:db8:1:2::${++host}`, 2)).toEqual([201, 429])
    expect(await fromAddress(() => '2001:db8:1:3::1', 1)).toEqual([201])
  })

  test('of IPv6 shares eight times as many with its /48', async () => {
    await harness.app.db.tally.updateMany({
      where: { subject: 'keys:2001:db8:1::/48', kind: 'wallet key' },
      data: { count: 160 },
    })
    const { status, body } = await keys.create(await session(), { ip: '2001:db8:1:4::1' })
    expect([status, body]).toEqual([
      429,
      { error: expect.stringMatching(/^wallets of your IPv6 \/48 can create 160 keys an hour; /) },
    ])
  })
})

describe('all wallets together', () => {
  test("leave the last half of a day's keys to networks that have made none, so ten addresses cannot use them up", async () => {
    const few = walletKeysOf({ ...harness.app, config: { ...harness.app.config, walletKeysPerDay: 40 } })
    await harness.app.db.tally.deleteMany({ where: { kind: 'wallet key' } })
    const make = async (ip: string) => few.create(await session(), { ip })
    const made = new Map<string, number>()
    for (let round = 0; round < 4; round++) {
      for (let host = 1; host <= 10; host++) {
        const ip = `198.18.${host}.1`
        if ((await make(ip)).status === 201) made.set(ip, (made.get(ip) ?? 0) + 1)
      }
    }
    expect([...made.values()]).toEqual(Array<number>(10).fill(2))
    const why = /^half of the keys that all wallets can create a day are gone; .*, and yours has one; try again in \d+ s$/
    for (const ip of ['198.18.1.77', '198.18.10.1']) {
      expect(await make(ip)).toMatchObject({ status: 429, body: { error: expect.stringMatching(why) } })
    }
    for (const ip of ['2001:db8:a::1', '2001:db8:b::1']) expect((await make(ip)).status).toBe(201)
    expect((await make('2001:db8:b:1::1')).body).toMatchObject({ error: expect.stringMatching(why) })
    for (let net = 0; net < 18; net++) expect((await make(`198.19.${net}.1`)).status).toBe(201)
    expect((await make('203.0.113.1')).body).toMatchObject({ error: expect.stringMatching(/^wallets can create 40 keys a day/) })
  })

  test('make as many keys a day as the operator allows', async () => {
    await counted('keys:all', 999)
    expect(await fromAddress(newIp, 2)).toEqual([201, 429])
    const { body } = await keys.create(await session())
    expect(body).toEqual({ error: expect.stringMatching(/^wallets can create 1000 keys a day; /) })
  })

  test('make none where the operator switched it off, and agents lose nothing', async () => {
    const off = walletKeysOf({ ...harness.app, config: { ...harness.app.config, walletKeysPerDay: 0 } })
    const { status, body } = await off.create(await session())
    expect([status, body]).toEqual([403, { error: 'this facilitator gives wallets no free keys; sign in as a merchant' }])
    expect((await off.list(await session())).status).toBe(200)
  })
})
