import { describe, expect, test } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { freshDatabase } from '../../test/support/database/database'
import { includeOne, newBroadcast, newClaimed, newLanding } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, newRow, tenantOf } from '../../test/support/service/history'
import { SANDBOX_TENANT } from '../accounts/caller'
import { ofSubject } from '../accounts/tenant-queries'
import { DAY_MS, HOUR_MS } from '../base/durations'
import type { Environment } from '../x402/networks/networks'
import { listingOf } from './bazaar'
import { listingRuleNames } from './listing-rules'
import { listingReport, type ReportedResource } from './report'
import type { Reported } from './report-queries'

const database = fixture(freshDatabase)

const INPUT = { type: 'http', method: 'GET', queryParams: { city: 'Rome' } }
const BAZAAR = { info: { input: INPUT }, schema: {} }
const DECLARED = { extensions: { bazaar: BAZAAR }, resourceInfo: { url: 'https://x.com' } }
const RULES = { privateHosts: false }

const reportOf = (whose: Reported, environment: Environment = 'testnet') =>
  listingReport({ db: database.db, config: RULES, now: () => new Date() }, whose, environment)

const ownReport = async (merchant: string, environment?: Environment) =>
  (await reportOf({ by: 'owner', owner: ofSubject(merchant) }, environment)).resources

/** A successful payment of a new key of this merchant, an hour ago. */
async function paid(ownerId: string, resource: string, declared: object, age = HOUR_MS): Promise<string> {
  const { db } = database
  const tenantId = await tenantOf(db, ownerId)
  const { id: settlementId } = await newClaimed(db, { resource, declared, network: 'eip155:84532' })
  const row = { ...newRow({ tenantId, ownerId }), settlementId, resource, network: 'eip155:84532' }
  await db.history.create({ data: { ...row, createdAt: new Date(Date.now() - age) } })
  return tenantId
}

const rulesOf = (resources: readonly ReportedResource[]) => resources.flatMap(({ problems }) => problems.map(({ rule }) => rule))

/** An entry of this tenant, as old as that. */
async function entryOf(tenantId: string, url: string, days = 0): Promise<void> {
  await list(database.db, newEntry({ url, owner: `tenant:${tenantId}` }))
  await database.db.resource.updateMany({ where: { url }, data: { lastSeen: new Date(Date.now() - days * DAY_MS) } })
}

const planted = new Set<string>()

describe('a report names the rule that keeps a paid resource out', () => {
  const wrong = (bazaar: unknown) => ({ ...DECLARED, extensions: { bazaar } })
  test.each<[rule: string, resource: string, declared: object, path: string | null]>([
    ['declaration_missing', 'https://a1.com/w', { ...DECLARED, extensions: { other: {} } }, null],
    ['declaration_missing', 'https://a2.com/w', {}, null],
    ['extensions_missing', 'https://a3.com/w', { resourceInfo: DECLARED.resourceInfo }, null],
    ['opted_out', 'https://a4.com/w', { outputSchema: { input: { type: 'http', discoverable: false } } }, null],
    ['declaration_invalid', 'https://a5.com/w', wrong({}), 'extensions.bazaar.info.input'],
    [
      'declaration_invalid',
      'https://a6.com/w',
      wrong({ info: { input: { ...INPUT, method: 'FETCH' } } }),
      'extensions.bazaar.info.input.method',
    ],
    [
      'declaration_too_large',
      'https://a7.com/w',
      wrong({ ...BAZAAR, schema: { title: 'x'.repeat(9_000) } }),
      'extensions.bazaar.schema',
    ],
    [
      'declaration_too_large',
      'https://a8.com/w',
      wrong({ info: { input: INPUT, output: 'x'.repeat(9_000) } }),
      'extensions.bazaar.info',
    ],
    [
      'schema_external',
      'https://a9.com/w',
      wrong({ ...BAZAAR, schema: { $ref: 'https://evil.com/' } }),
      'extensions.bazaar.schema',
    ],
    [
      'schema_mismatch',
      'https://b1.com/w',
      wrong({ ...BAZAAR, schema: { properties: { input: { properties: { queryParams: { required: ['town'] } } } } } }),
      'extensions.bazaar.info.input.queryParams',
    ],
    [
      'schema_external',
      'https://b2.com/w',
      { outputSchema: { input: INPUT, output: { $ref: 'https://evil.com/' } } },
      'outputSchema',
    ],
  ])('%s: %s', async (rule, resource, declared, path) => {
    planted.add(rule)
    const me = newOwner()
    await paid(me, `${resource}?city=Rome`, declared)
    const [found, ...others] = await ownReport(me)
    expect(others).toEqual([])
    expect(found).toMatchObject({ resource, listed: false, until: null, paid: { calls: 1, amount: '1000' } })
    expect(found?.problems).toEqual([
      { rule, severity: 'required', message: expect.any(String), path, remedy: expect.any(String) },
    ])
    // The corrected declaration would be listed.
    const terms = {
      scheme: 'exact',
      network: 'eip155:84532',
      asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      payTo: `0x${'22'.repeat(20)}`,
    }
    expect(listingOf({ ...terms, amount: 1_000n, resource, declared: { ...found?.declaration } }, RULES)).toMatchObject({
      url: resource,
    })
  })

  test.each([
    ['url_not_public', 'http://localhost:3000/weather'],
    ['url_not_public', 'https://10.0.0.7/weather'],
    ['url_missing', ''],
    ['url_invalid', 'mcp://tool/weather'],
  ])('%s: "%s"', async (rule, resource) => {
    planted.add(rule)
    const me = newOwner()
    await paid(me, resource, DECLARED)
    const found = await ownReport(me)
    expect(rulesOf(found)).toEqual([rule])
    expect(found).toMatchObject([{ resource, listed: false, declaration: null }])
  })

  test('the account that has its URL, by whom its entry pays', async () => {
    planted.add('held_by_other')
    const [me, other] = [newOwner(), newOwner()]
    const url = 'https://taken.com/weather'
    await entryOf(await tenantOf(database.db, other), url)
    await paid(me, url, DECLARED)
    const [found] = await ownReport(me)
    expect(found).toMatchObject({ listed: false, problems: [{ rule: 'held_by_other' }] })
    expect(found?.heldBy).toEqual([{ network: 'eip155:84532', payTo: `0x${'2'.repeat(40)}` }])
  })

  test('the account that has a tool of its URL, which keeps the page and other tools out', async () => {
    const [me, other] = [newOwner(), newOwner()]
    await entryOf(await tenantOf(database.db, other), 'https://tools.com/mcp#weather')
    await paid(me, 'https://tools.com/mcp', DECLARED)
    const [found] = await ownReport(me)
    expect(found).toMatchObject({ listed: false, problems: [{ rule: 'held_by_other' }] })
    expect(found?.heldBy).toEqual([{ network: 'eip155:84532', payTo: `0x${'2'.repeat(40)}` }])
  })

  test('a limit that was reached, but not in the minute in which its listing may come', async () => {
    for (const rule of ['limit_reached', 'pending']) planted.add(rule)
    const me = newOwner()
    await paid(me, 'https://full.com/weather', DECLARED)
    await paid(me, 'https://soon.com/weather', DECLARED, 0)
    expect(rulesOf(await ownReport(me))).toEqual(['pending', 'limit_reached'])
  })

  test('expired after 90 days without a payment, and those that expire within a week', async () => {
    for (const rule of ['expired', 'expiring']) planted.add(rule)
    const me = newOwner()
    const tenantId = await tenantOf(database.db, me)
    await entryOf(tenantId, 'https://late.com/a', 84)
    await entryOf(tenantId, 'https://late.com/b', 91)
    await entryOf(tenantId, 'https://late.com/c', 80)
    const found = await ownReport(me)
    expect(found.map(({ resource, listed, problems }) => [resource, listed, problems[0]?.rule ?? null])).toEqual([
      ['https://late.com/c', true, null],
      ['https://late.com/a', true, 'expiring'],
      ['https://late.com/b', false, 'expired'],
    ])
  })

  test('deposits of channels, with what an answer costs at most, once they landed', async () => {
    const { db } = database
    const me = newOwner()
    const [tenantId, silent] = [await tenantOf(db, me), await tenantOf(db, me, 'oidc', { historyEnabled: false })]
    const deposit = (resource: string, declared: object, of = tenantId) =>
      newBroadcast(db, { kind: 'deposit', tenantId: of, resource, declared, amount: 10_000n })
    const landed = async (...of: Parameters<typeof deposit>) => {
      const place = await deposit(...of)
      await includeOne(db, place, newLanding(place.hash))
    }
    await landed('https://stream.com/odd', { ...wrong({}), price: '100' })
    await landed('https://stream.com/a?part=1', { ...DECLARED, price: '200' })
    await landed('https://stream.com/a', { ...DECLARED, price: '100' })
    await landed('https://stream.com/silent', { ...DECLARED, price: '100' }, silent)
    await deposit('https://stream.com/b', { ...DECLARED, price: '100' })
    const terms = { id: null, scheme: 'batch-settlement', amount: '10000', price: '100' }
    expect(await ownReport(me)).toMatchObject([
      { resource: 'https://stream.com/a', paid: { ...terms, calls: 2 }, problems: [{ rule: 'pending' }] },
      { resource: 'https://stream.com/odd', paid: { ...terms, calls: 1 }, problems: [{ rule: 'declaration_invalid' }] },
    ])
    expect(await reportOf({ by: 'key', tenantId: silent })).toMatchObject({ resources: [] })
  })

  test('a key without history', async () => {
    planted.add('history_off')
    const me = newOwner()
    const id = await tenantOf(database.db, me, 'oidc', { historyEnabled: false })
    const report = await reportOf({ by: 'owner', owner: ofSubject(me) })
    expect(report).toMatchObject({ keysWithoutHistory: [{ id }], resources: [] })
    expect(await reportOf({ by: 'key', tenantId: id })).toMatchObject({ keysWithoutHistory: [{ id }] })
  })
})

test('a listed resource has no problem, or only advice: http behind a proxy, a template of another form', async () => {
  for (const rule of ['http_url', 'template_ignored']) planted.add(rule)
  const me = newOwner()
  const fine = 'https://listed.com/weather'
  const plain = 'http://plain.com/weather'
  const template = { bazaar: { ...BAZAAR, routeTemplate: 'users/:id' } }
  await entryOf(await paid(me, `${fine}?city=Rome`, DECLARED), fine)
  await entryOf(await paid(me, plain, { ...DECLARED, extensions: template }), plain)
  const found = await ownReport(me)
  expect(found.map(({ listed, problems }) => [listed, problems.map(({ rule, severity }) => `${rule} ${severity}`)])).toEqual([
    [true, ['template_ignored advisory', 'http_url advisory']],
    [true, []],
  ])
})

test('a listed resource whose newest payment cannot renew its entry says so', async () => {
  const me = newOwner()
  const url = 'https://broken.com/weather'
  await entryOf(await paid(me, url, { extensions: { bazaar: {} } }), url)
  expect(await ownReport(me)).toMatchObject([{ listed: true, problems: [{ rule: 'declaration_invalid', severity: 'required' }] }])
})

test('every rule has a planted mistake', () => {
  expect([...planted].sort()).toEqual([...listingRuleNames].sort())
})

describe('a report is of', () => {
  test('its own payments, once for all queries of a resource, in one environment', async () => {
    const me = newOwner()
    for (const city of ['Rome', 'Oslo']) await paid(me, `https://plain.com/weather?city=${city}`, {})
    expect(await ownReport(me)).toMatchObject([{ resource: 'https://plain.com/weather', paid: { calls: 2 } }])
    expect(await ownReport(newOwner())).toEqual([])
    expect(await ownReport(me, 'mainnet')).toEqual([])
  })

  test('one key, where any key of its owner may have the entry', async () => {
    const me = newOwner()
    const url = 'https://two-keys.com/weather'
    const first = await paid(me, url, DECLARED)
    const second = await paid(me, url, DECLARED)
    await entryOf(first, url)
    expect((await reportOf({ by: 'key', tenantId: second })).resources).toMatchObject([
      { resource: url, listed: true, paid: { calls: 1 } },
    ])
  })

  test('one address of the sandbox', async () => {
    const { db } = database
    const resource = 'https://sandbox.com/weather'
    const { id: settlementId } = await newClaimed(db, {
      resource,
      declared: DECLARED,
      network: 'eip155:84532',
      caller: 'ip:10.1.1.1',
    })
    const row = { ...newRow({ tenantId: SANDBOX_TENANT, ownerId: 'sandbox' }), settlementId, resource, network: 'eip155:84532' }
    await db.history.create({ data: { ...row, createdAt: new Date(Date.now() - HOUR_MS) } })
    expect((await reportOf({ by: 'sandbox', caller: 'ip:10.1.1.1' })).resources).toMatchObject([{ resource }])
    expect((await reportOf({ by: 'sandbox', caller: 'ip:10.1.1.2' })).resources).toEqual([])
  })
})

test('a report is of at most so many resources, and others are served between two of them', async () => {
  const me = newOwner()
  for (const path of ['a', 'b', 'c', 'd']) await paid(me, `https://many.com/${path}`, { extensions: { bazaar: {} } })
  let turn = 0
  const next = () => {
    turn++
    loop = setImmediate(next)
  }
  let loop = setImmediate(next)
  const turns = new Set<number>()
  const config = {
    get privateHosts() {
      turns.add(turn)
      return false
    },
  }
  const whose = { by: 'owner', owner: ofSubject(me) } as const
  const { resources } = await listingReport({ db: database.db, config, now: () => new Date() }, whose, 'testnet', 3)
  clearImmediate(loop)
  expect(resources).toHaveLength(3)
  // Each is judged, then corrected.
  expect(turns.size).toBe(6)
})
