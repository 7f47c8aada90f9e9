import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { list, newEntry } from '../../test/support/database/catalog'
import { fixture, readThrough } from '../../test/support/fixture'
import { v1Body } from '../../test/support/payloads/payments'
import { createUptoForge } from '../../test/support/permit2/upto'
import { askingCatalog } from '../../test/support/service/catalog-pages'
import { startHarness } from '../../test/support/service/harness'
import { newPurchase } from '../../test/support/service/purchases'
import { type Endpoint, newClient, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'
import type { CatalogItem } from './schemas'

type Json = Record<string, unknown>

const env = { KYT: 'off', BASE_URL: 'https://pay.quittance.dev' }
const harness = fixture(() => startHarness({ production: true, base: true, env }))

const info = { input: { type: 'http', method: 'GET' }, output: { type: 'json', example: { celsius: 21 } } }
const schema = { type: 'object', properties: { input: { type: 'object' } } }

/** A payment for a resource that declares itself, ready to be settled. */
async function declaring(url: string, bazaar: unknown = { info, schema }): Promise<{ body: Json; payTo: string; payer: string }> {
  const { body, payTo, payer } = await newPurchase(harness)
  const resource = { url, description: 'Weather of today', mimeType: 'application/json' }
  return { payTo, payer, body: { ...body, paymentPayload: { ...Object(body.paymentPayload), resource, extensions: { bazaar } } } }
}

const settle = async (endpoint: Endpoint, body: Json) => {
  const answer = await endpoint.settle(body)
  expect(answer.body).toMatchObject({ success: true })
  const said = answer.headers.get('extension-responses')
  return said === null ? null : JSON.parse(Buffer.from(said, 'base64').toString())
}

/** Waits until all effects of settlements are done. */
const effectsDone = () => until(async () => (await harness.app.db.outbox.count({ where: { doneAt: null } })) === 0, 'the outbox')

const ask = askingCatalog(readThrough(() => harness.app))

test('a report takes the share of its key, and without a paid one that of its address', async () => {
  const lists = vi.spyOn(harness.app, 'lists')
  onTestFinished(() => lists.mockRestore())
  const free = await newMerchant(harness.app, { plan: 'free' })
  const paying = await newMerchant(harness.app)
  await ask('/sandbox/discovery/report')
  for (const { key } of [free, paying]) await ask('/v1/discovery/report', '', { key })
  const address = expect.stringMatching(/^address /)
  expect(lists.mock.calls.map(([reader]) => reader)).toEqual([address, address, expect.stringMatching(/^tenant:/)])
})

describe('a settlement whose payment declares its resource', () => {
  test('v2 lists it by its URL, with the fields of official clients', async () => {
    const merchant = await newMerchant(harness.app)
    const { body, payTo } = await declaring('https://api.weather.com/today?city=Lisbon')
    expect(await settle(merchant.v1, body)).toEqual({ bazaar: { status: 'processing' } })
    await effectsDone()
    const answer = await ask('/sandbox/discovery/resources', `?payTo=${payTo}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      x402Version: 2,
      items: [
        {
          resource: 'https://api.weather.com/today',
          type: 'http',
          x402Version: 2,
          accepts: [
            {
              scheme: 'exact',
              network: 'eip155:84532',
              amount: '1000',
              maxAmountRequired: '1000',
              resource: 'https://api.weather.com/today',
              description: 'Weather of today',
              mimeType: 'application/json',
              payTo,
              maxTimeoutSeconds: 300,
              asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
              extra: { name: 'USDC', version: '2' },
            },
          ],
          lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          description: 'Weather of today',
          mimeType: 'application/json',
          metadata: { bazaar: { info, schema } },
          extensions: { bazaar: { info, schema } },
        },
      ],
      pagination: { limit: 100, offset: 0, total: 1 },
    })
  })

  test('v1 lists it with its outputSchema and no metadata', async () => {
    const outputSchema = { input: { type: 'http', method: 'POST' }, output: { ok: 'boolean' } }
    const { payTo, payment } = await newPurchase(harness)
    const requirements = { payTo, outputSchema, resource: 'https://v1.weather.com/today' }
    expect(await settle(newClient(harness.app), v1Body(payment, { requirements }))).toEqual({ bazaar: { status: 'processing' } })
    await effectsDone()
    const { items } = (await ask('/sandbox/discovery/resources', `?payTo=${payTo}`)).body
    expect(items).toMatchObject([{ resource: requirements.resource, x402Version: 1, accepts: [{ outputSchema }] }])
    expect(items[0].metadata).toEqual({})
    expect(items[0]).not.toHaveProperty('extensions')
  })

  test('v1 says why its outputSchema is not listed; one that wants no listing gets no word', async () => {
    const told = async (outputSchema: object) => {
      const { payTo, payment } = await newPurchase(harness)
      const requirements = { payTo, outputSchema, resource: 'https://v1.weather.com/odd' }
      return settle(newClient(harness.app), v1Body(payment, { requirements }))
    }
    expect(await told({ input: { type: 'mcp' } })).toEqual({
      bazaar: { status: 'rejected', rejectedReason: 'outputSchema.input.type is of no type that is listed here' },
    })
    expect(await told({ input: { type: 'http', discoverable: false } })).toBeNull()
  })

  test('lists each tool of an MCP server beside the resources of HTTP', async () => {
    const url = 'https://tools.com/mcp'
    const merchant = await newMerchant(harness.app)
    for (const toolName of ['rain', 'wind']) {
      const input = { type: 'mcp', toolName, inputSchema: { type: 'object' } }
      await settle(merchant.v1, (await declaring(url, { info: { input }, schema })).body)
    }
    await effectsDone()
    const { items } = (await ask('/sandbox/discovery/resources', '?type=mcp')).body
    expect(
      items.map(({ resource, type, extensions }: CatalogItem) => [
        resource,
        type,
        Object(extensions?.bazaar.info).input.toolName,
      ]),
    ).toEqual([
      [url, 'mcp', 'wind'],
      [url, 'mcp', 'rain'],
    ])
    expect(JSON.stringify((await ask('/sandbox/discovery/resources')).body)).not.toContain(url)
    expect((await ask('/discovery/search', '?query=rain&type=mcp&network=eip155:84532')).body.resources).toHaveLength(1)
  })

  test('says why it is not listed, and settles', async () => {
    const { app } = harness
    const refusedFor = async (endpoint: Endpoint, url: string, bazaar?: unknown) =>
      (await settle(endpoint, (await declaring(url, bazaar)).body))?.bazaar
    const client = newClient(app)
    const before = await app.db.outbox.count()
    expect(await refusedFor(client, 'http://localhost:4021/weather')).toEqual({
      status: 'rejected',
      rejectedReason: 'the host of the resource URL is private, local, an IP address or a single label',
    })
    expect(await refusedFor(client, 'https://a.com/', { info: 7 })).toMatchObject({ status: 'rejected' })
    const unfit = { info, schema: { properties: { output: { properties: { example: { required: ['kelvin'] } } } } } }
    expect(await refusedFor(client, 'https://a.com/', unfit)).toEqual({
      status: 'rejected',
      rejectedReason: 'extensions.bazaar.info.output.example lacks kelvin',
    })
    const quiet = await newMerchant(app, { historyEnabled: false })
    expect(await refusedFor(quiet.v1, 'https://a.com/')).toEqual({
      status: 'rejected',
      rejectedReason: 'history is disabled for this API key',
    })
    expect(await app.db.outbox.count()).toBe(before)
  })

  test('verify says the same of it before any money moves', async () => {
    const { app } = harness
    const told = async (endpoint: Endpoint, url: string, bazaar?: unknown) => {
      const { headers } = await endpoint.verify((await declaring(url, bazaar)).body)
      const said = headers.get('extension-responses')
      return said === null ? null : JSON.parse(Buffer.from(said, 'base64').toString()).bazaar
    }
    const client = newClient(app)
    expect(await told(client, 'https://verified.com/')).toEqual({ status: 'processing' })
    expect(await told(client, 'https://verified.com/', { info: 7 })).toMatchObject({ status: 'rejected' })
    const quiet = await newMerchant(app, { historyEnabled: false })
    expect(await told(quiet.v1, 'https://verified.com/')).toMatchObject({
      rejectedReason: 'history is disabled for this API key',
    })
    const { body } = await newPurchase(harness)
    expect((await client.verify(body)).headers.get('extension-responses')).toBeNull()
  })

  test('is in the report of its key, listed or with the rule that keeps it out', async () => {
    const merchant = await newMerchant(harness.app)
    for (const host of ['reported.com', 'localhost']) await settle(merchant.v1, (await declaring(`https://${host}/today`)).body)
    await effectsDone()
    const report = await ask('/v1/discovery/report', '?environment=testnet', { key: merchant.key })
    expect(report).toMatchObject({
      status: 200,
      body: {
        environment: 'testnet',
        key_problems: [],
        resources: [
          { resource: 'https://localhost/today', listed: false, problems: [{ rule: 'url_not_public' }] },
          { resource: 'https://reported.com/today', listed: true, problems: [], declaration: null },
        ],
      },
    })
    expect((await ask('/v1/discovery/report', '', { key: 'qt_unknown' })).status).toBe(401)
    expect((await ask('/sandbox/discovery/report', '?environment=moon')).status).toBe(400)
    expect((await ask('/sandbox/discovery/report')).body).toMatchObject({ environment: 'testnet' })
  })

  test('that fails lists nothing', async () => {
    const { body, payer } = await declaring('https://broke.com/x')
    const changed = { ...body, paymentRequirements: { ...Object(body.paymentRequirements), amount: '2000' } }
    const answer = await newClient(harness.app).settle(changed)
    expect(answer.body).toMatchObject({ success: false, payer })
    expect(JSON.parse(Buffer.from(answer.headers.get('extension-responses') ?? '', 'base64').toString())).toEqual({
      bazaar: { status: 'rejected', rejectedReason: 'only settled payments list their resource' },
    })
  })

  test("cannot take another merchant's listing over", async () => {
    const url = 'https://victim.com/data'
    const [victim, attacker] = [await newMerchant(harness.app), await newMerchant(harness.app)]
    const first = await declaring(url)
    await settle(victim.v1, first.body)
    await effectsDone()
    const second = await declaring(url, { info: { input: { type: 'http', method: 'POST' } }, schema: {} })
    // The owner is not known yet: the response is about the form.
    expect(await settle(attacker.v1, second.body)).toEqual({ bazaar: { status: 'processing' } })
    await effectsDone()
    const { items } = (await ask('/sandbox/discovery/resources', `?payTo=${first.payTo}`)).body
    expect(items).toMatchObject([{ resource: url, accepts: [{ payTo: first.payTo }], metadata: { bazaar: { info } } }])
    expect((await ask('/sandbox/discovery/resources', `?payTo=${second.payTo}`)).body.items).toEqual([])
  })
})

describe('which catalog is shown', () => {
  const [payTo, other] = ['0x5555555555555555555555555555555555555555', '0x6666666666666666666666666666666666666666']
  beforeAll(async () => {
    await list(harness.app.db, newEntry({ url: 'https://on-testnet.com/' }, { payTo }))
    await list(
      harness.app.db,
      newEntry({ url: 'https://on-mainnet.com/', environment: 'mainnet' }, { payTo, network: 'eip155:8453' }),
    )
    harness.app.catalog.changed('testnet')
  })
  const urls = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked)
    return status === 200 ? (body.items ?? body.resources).map(({ resource }: Json) => resource) : status
  }

  test("the sandbox's is the testnets', everywhere else the mainnets' where one is configured", async () => {
    const { key } = await newMerchant(harness.app)
    const of = `?payTo=${payTo}`
    expect(await urls('/discovery/resources', of)).toEqual(['https://on-mainnet.com/'])
    expect(await urls('/v1/discovery/resources', of, { key })).toEqual(['https://on-mainnet.com/'])
    expect(await urls('/sandbox/discovery/resources', of)).toEqual(['https://on-testnet.com/'])
  })

  test('a network in the query selects its own catalog, where it is served', async () => {
    const on = (network: string) => `?payTo=${payTo}&network=${network}`
    expect(await urls('/discovery/resources', on('eip155:84532'))).toEqual(['https://on-testnet.com/'])
    expect(await urls('/discovery/resources', on('base'))).toEqual(['https://on-mainnet.com/'])
    expect(await urls('/sandbox/discovery/resources', on('eip155:8453'))).toEqual([])
    expect(await urls('/discovery/resources', on('eip155:1'))).toEqual([])
    expect(await urls('/discovery/resources', '?network=!')).toBe(400)
  })

  test('a payment by upto lists its maximum, found by its scheme; a charge of nothing lists none', async () => {
    const facilitator = privateKeyToAddress(`0x${harness.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`)
    const charged = async (url: string, charge: bigint) => {
      const { charging } = await createUptoForge(harness.chain).paying({
        facilitator,
        extensions: async () => ({ bazaar: { info, schema } }),
      })
      const body: Json = charging(charge)
      const paymentPayload = {
        ...Object(body.paymentPayload),
        resource: { url, description: 'Tokens', mimeType: 'application/json' },
      }
      await newClient(harness.app).settle({ ...body, paymentPayload })
    }
    await charged('https://tokens-by-upto.com/tokens', 700n)
    await charged('https://nothing-by-upto.com/tokens', 0n)
    await effectsDone()
    expect(await urls('/sandbox/discovery/resources', '?scheme=upto')).toEqual(['https://tokens-by-upto.com/tokens'])
    expect(await harness.app.db.resourceAccept.findMany({ where: { scheme: 'upto' } })).toMatchObject([
      { requirements: { scheme: 'upto', amount: '100000', maxAmountRequired: '100000' } },
    ])
  })

  test('filters that match nothing return an empty list', async () => {
    for (const filter of ['scheme=deferred', 'scheme=%00', 'extensions=other', `payTo=${other}`]) {
      expect(await urls('/discovery/resources', `?${filter}`)).toEqual([])
    }
    expect(await urls('/discovery/resources', `?payTo=${payTo}&scheme=exact&extensions=bazaar`)).toHaveLength(1)
  })

  test('a price and a freshness narrow the list', async () => {
    const own = `?payTo=${payTo}`
    expect(await urls('/discovery/resources', `${own}&maxPrice=0.001&paidWithinDays=1`)).toHaveLength(1)
    expect(await urls('/discovery/resources', `${own}&maxPrice=0.000999`)).toEqual([])
    expect(await urls('/discovery/resources', `${own}&maxPrice=1&asset=EURC`)).toEqual([])
    await harness.app.db.resource.updateMany({ data: { lastSeen: new Date(Date.now() - 3 * 86_400_000) } })
    expect(await urls('/discovery/resources', `${own}&paidWithinDays=2`)).toEqual([])
    expect(await urls('/discovery/resources', `${own}&paidWithinDays=4`)).toHaveLength(1)
    await harness.app.db.resource.updateMany({ data: { lastSeen: new Date() } })
  })

  test('an invalid key sees nothing', async () => {
    expect(await urls('/v1/discovery/resources', '', { key: 'qt_nothing' })).toBe(401)
    const free = await newMerchant(harness.app, { plan: 'free' })
    expect(await urls('/flash/discovery/search', '?query=x', { key: free.key })).toBe(403)
  })

  test('a search is the same catalog by words, page by page', async () => {
    for (const at of [1, 2, 3]) await list(harness.app.db, newEntry({ url: `https://zebra-${at}.com/`, environment: 'mainnet' }))
    const first = await ask('/discovery/search', '?query=Zebra&limit=2')
    expect(first.body).toMatchObject({ x402Version: 2, partialResults: false, pagination: { limit: 2 } })
    const { cursor } = first.body.pagination
    const second = await ask('/discovery/search', `?query=zebra&limit=2&cursor=${cursor}`)
    expect(second.body.pagination).toEqual({ limit: 2, cursor: null })
    const found = [...first.body.resources, ...second.body.resources].map(({ resource }) => resource)
    expect(found.sort()).toEqual([1, 2, 3].map((at) => `https://zebra-${at}.com/`))
  })
})

describe('an invalid query is a 400 that says what to change', () => {
  test.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['limit=ten', 'limit must be a whole number from 1 to 100'],
    ['offset=-1', 'offset must be a whole number from 0 to 10000'],
    ['offset=10001', 'offset must be at most 10000; narrow the list by network or payTo instead'],
    ['type=ftp', 'type must be "http" or "mcp"'],
    ['maxPrice=1,5', 'maxPrice must be a price in whole tokens, such as 0.01'],
    ['paidWithinDays=91', 'paidWithinDays must be a whole number from 1 to 90'],
    ['payTo=me', 'payTo must be an address: 0x and 40 hex digits, or base58'],
  ])('%s', async (query, error) => {
    expect(await ask('/discovery/resources', `?${query}`)).toMatchObject({ status: 400, body: { error } })
  })

  test.each(['', '?query=%20', `?query=${'x'.repeat(201)}`, '?query=x&cursor=bad', '?query=x&limit=-1'])(
    'search%s',
    async (query) => {
      const { status, body } = await ask('/discovery/search', query)
      expect([status, typeof body.error]).toEqual([400, 'string'])
    },
  )

  test('a limit above 100 becomes 100, and unknown parameters are ignored', async () => {
    const { body } = await ask('/discovery/resources', '?limit=1000&offset=10000&colour=red')
    expect(body.pagination).toMatchObject({ limit: 100, offset: 10_000 })
  })
})

describe('a page is cached for five minutes', () => {
  test('by clients: public, private under a key, with an entity tag', async () => {
    const { key } = await newMerchant(harness.app)
    const open = await ask('/discovery/resources')
    expect(open.headers.get('cache-control')).toBe('public, max-age=300')
    expect((await ask('/v1/discovery/resources', '', { key })).headers.get('cache-control')).toBe('private, max-age=300')
    const etag = open.headers.get('etag') ?? ''
    for (const kept of [etag, `"other", W/${etag}`, '*']) {
      const again = await ask('/discovery/resources', '', { headers: { 'if-none-match': kept } })
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag])
    }
    expect((await ask('/discovery/resources', '', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('by us, by its query, until our own catalog changes', async () => {
    const total = async (query: string) => (await ask('/discovery/resources', query)).body.pagination.total
    const before = await total('')
    // As another instance would.
    await list(harness.app.db, newEntry({ environment: 'mainnet' }))
    expect(await total('?colour=red&limit=100&offset=0&type=http')).toBe(before)
    expect(await total('?limit=99')).toBe(before + 1)
    harness.app.catalog.changed('mainnet')
    expect(await total('')).toBe(before + 1)
  })
})
