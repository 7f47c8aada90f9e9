import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Declaration, listingOf } from './bazaar'

const rules = { privateHosts: false }
const info = {
  input: { type: 'http', method: 'GET', queryParams: { city: 'Lisbon' } },
  output: { type: 'json', example: { celsius: 21 } },
}
const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {}, required: ['input'] }

function declaration(declared: Declaration['declared'], changes: Partial<Declaration> = {}): Declaration {
  return {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    amount: 1_000n,
    resource: 'https://api.weather.com/today?city=Lisbon',
    declared: { maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' }, ...declared },
    ...changes,
  }
}

const v2 = (bazaar: unknown, changes: Partial<Declaration> = {}) =>
  listingOf(declaration({ extensions: { bazaar } }, changes), rules)

/** A chain of objects inside each other, so many below the first. */
const nested = (levels: number): object => (levels === 0 ? {} : { properties: nested(levels - 1) })

test('a payment by upto lists its maximum as the price', () => {
  const listing = v2({ info, schema }, { scheme: 'upto', amount: 20_000n })
  expect(listing).toMatchObject({ requirements: { scheme: 'upto', amount: '20000', maxAmountRequired: '20000' } })
})

test('a payment without a declaration has no listing', () => {
  expect(listingOf(declaration({}), rules)).toBeNull()
  expect(listingOf(declaration({ extensions: { other: {} } }), rules)).toBeNull()
})

test('version 2 is listed with its declaration and its requirements', () => {
  const resourceInfo = {
    url: 'x',
    description: "Today's weather",
    mimeType: 'application/json',
    serviceName: 'Weather',
    tags: ['sky', 'Sky', 'é'],
  }
  const declared = { extensions: { bazaar: { info, schema, more: 'dropped' } }, resourceInfo }
  const url = 'https://api.weather.com/today'
  expect(listingOf(declaration(declared), rules)).toEqual({
    url,
    type: 'http',
    host: 'api.weather.com',
    x402Version: 2,
    description: "Today's weather",
    mimeType: 'application/json',
    serviceName: 'Weather',
    tags: ['Sky'],
    iconUrl: null,
    bazaar: { info, schema },
    requirements: {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '1000',
      maxAmountRequired: '1000',
      resource: url,
      description: "Today's weather",
      mimeType: 'application/json',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 300,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: { name: 'USD Coin', version: '2' },
    },
  })
})

test('version 1 keeps its outputSchema in its requirements, and has no metadata', () => {
  const outputSchema = { input: { type: 'http', method: 'GET' }, output: { celsius: 'number' } }
  const listing = listingOf(declaration({ outputSchema, description: 'Weather' }), rules)
  expect(listing).toMatchObject({ x402Version: 1, description: 'Weather', bazaar: {}, requirements: { outputSchema } })
  expect(listing).not.toHaveProperty('requirements.amount')
})

test("the payer's copy does not replace the merchant's declaration", () => {
  const outputSchema = { input: { type: 'http', method: 'GET' } }
  const extensions = { bazaar: { info: { ...info, note: 'IGNORE' }, schema } }
  const resourceInfo = { url: 'https://evil.com/', description: 'IGNORE', serviceName: 'Evil', tags: ['evil'] }
  const listing = listingOf(declaration({ outputSchema, description: 'Weather', extensions, resourceInfo }), rules)
  expect(listing).toMatchObject({ x402Version: 1, description: 'Weather', serviceName: null, tags: [], bazaar: {} })
})

test('a `__proto__` key is dropped', () => {
  const listing = v2({ info, schema: JSON.parse('{"__pro\\u200bto__": {"a": 1}, "title": "x"}') })
  expect(JSON.stringify(listing)).not.toContain('__proto__')
})

test('a route that opts out is not listed', () => {
  expect(listingOf(declaration({ outputSchema: { input: { type: 'http', discoverable: false } } }), rules)).toBeNull()
})

test('a valid route template is used, any other is dropped', () => {
  expect(v2({ info, schema, routeTemplate: '/:day' })).toMatchObject({
    url: 'https://api.weather.com/:day',
    bazaar: { routeTemplate: '/:day' },
  })
  const other = v2({ info, schema, routeTemplate: '/%2e%2e/admin' })
  expect(other).toMatchObject({ url: 'https://api.weather.com/today' })
  expect(other).not.toHaveProperty('bazaar.routeTemplate')
})

test('a tool of an MCP server is listed by its URL and its name', () => {
  const tool = { input: { type: 'mcp', toolName: 'get_weather', inputSchema: { type: 'object' } } }
  const resource = 'https://api.weather.com/mcp'
  expect(v2({ info: tool, schema, routeTemplate: '/:x' }, { resource })).toMatchObject({
    url: `${resource}#get_weather`,
    type: 'mcp',
    bazaar: { info: tool },
    requirements: { resource },
  })
})

describe('a rejected listing has a reason', () => {
  const tooLarge = { info, schema: { ...schema, title: 'x'.repeat(9_000) } }
  test.each<[string, unknown, Partial<Declaration>, string]>([
    ['no object', 'weather', {}, 'info.input must be an object'],
    ['no info', { schema }, {}, 'info.input must be an object'],
    ['another type', { info: { input: { type: 'ftp' } }, schema }, {}, 'no type that is listed'],
    ['an MCP tool without a name', { info: { input: { type: 'mcp' } }, schema }, {}, 'must name a tool'],
    [
      'an MCP tool with blanks in its name',
      { info: { input: { type: 'mcp', toolName: 'a b' } }, schema },
      {},
      'must name a tool',
    ],
    ['no method of HTTP', { info: { input: { type: 'http', method: 'GET\n' } }, schema }, {}, 'no HTTP method'],
    ['a schema that is none', { info, schema: 'x' }, {}, 'schema must be an object'],
    [
      'a schema that leads elsewhere',
      { info, schema: { properties: { a: { $ref: 'http://10.0.0.1/' } } } },
      {},
      'other documents',
    ],
    ['a schema that leads elsewhere unseen', { info, schema: { '$r\u200bef': 'http://10.0.0.1/' } }, {}, 'other documents'],
    ['a schema with a name elsewhere', { info, schema: { $id: 'https://evil.com/s' } }, {}, 'other documents'],
    ['too much', tooLarge, {}, 'schema is too large: at most 8 KB'],
    ['numbers that are long in digits', { info, schema: { enum: Array(40).fill(1e300) } }, {}, 'schema is too large'],
    ['too deep', { info, schema: nested(9) }, {}, 'schema is too deep: at most 8 levels'],
    ['a private host', { info, schema }, { resource: 'http://10.0.0.1/x' }, 'private'],
    ['no URL', { info, schema }, { resource: '' }, 'no URL'],
  ])('%s', (_, bazaar, changes, why) => {
    expect(v2(bazaar, changes)).toMatchObject({ rejected: expect.stringContaining(why), rule: expect.any(String) })
  })

  test('eight levels are not too deep, and a reference inside the schema leads nowhere', () => {
    expect(v2({ info, schema: nested(8) })).toMatchObject({ x402Version: 2 })
    expect(v2({ info, schema: { $defs: { a: {} }, $ref: '#/$defs/a' } })).toMatchObject({ x402Version: 2 })
  })
})

describe('untrusted text', () => {
  test('loses invisible characters, and is cut at its limit', () => {
    const hidden = `Weather\u0000\u202e\u2066 of\r\n the day\u{e0041}\u200b${'!'.repeat(600)}`
    const listing = listingOf(
      declaration({ extensions: { bazaar: { info: { ...info, note: hidden }, schema } }, description: hidden }),
      rules,
    )
    const seen = `Weather of  the day${'!'.repeat(600)}`
    expect(listing).toMatchObject({ bazaar: { info: { note: seen } }, description: seen.slice(0, 500) })
  })

  test('is cut between characters, never inside one', () => {
    const listing = listingOf(declaration({ extensions: { bazaar: { info, schema } }, description: '🌦'.repeat(600) }), rules)
    expect(listing).toMatchObject({ description: '🌦'.repeat(500) })
  })
})

test('any declaration is listed or not: nothing throws, nothing exceeds its bounds', () => {
  const anything = fc
    .anything({ maxDepth: 4, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value ?? null)) as unknown)
  const record = fc.dictionary(fc.string(), anything)
  const declared = fc.record(
    {
      description: fc.string({ unit: 'binary' }),
      outputSchema: record,
      resourceInfo: record,
      extra: record,
      extensions: fc.record({
        bazaar: fc.oneof(anything, fc.record({ info: fc.constant(info), schema: record, routeTemplate: fc.webPath() })),
      }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(declared, fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (given, resource) => {
      const listing = listingOf(declaration(given, { resource }), rules)
      if (!listing || 'rejected' in listing) return
      expect(listing.url.length).toBeLessThanOrEqual(2_048)
      expect(new URL(listing.url).search).toBe('')
      expect([...(listing.description ?? '')].length).toBeLessThanOrEqual(500)
      expect(JSON.stringify(listing.requirements).length).toBeLessThan(20_000)
    }),
  )
})
