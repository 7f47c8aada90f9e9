import { expect, test } from 'vitest'
import { isTemplate, leastDepositOf, placeOf, priceOf, readablePath, sinceText } from './text'

test.each([
  ['https://api.example.com/v1/weather', 'api.example.com', '/v1/weather'],
  ['https://api.example.com', 'api.example.com', ''],
  ['https://api.example.com/', 'api.example.com', ''],
  ['http://localhost:4021/users/:id', 'localhost:4021', '/users/:id'],
  ['https://api.example.com/{city}?unit=c', 'api.example.com', '/{city}?unit=c'],
  ['https://api.example.com?unit=c', 'api.example.com', '/?unit=c'],
  ['not a URL', 'not a URL', ''],
])('the place of %s', (url, host, path) => {
  expect(placeOf(url)).toEqual({ host, path })
})

test.each([
  ['/v1/risk/%7Bchain%7D/tvl', '/v1/risk/{chain}/tvl'],
  ['/cota%C3%A7%C3%A3o', '/cotação'],
  // A slash, a blank, a mark that turns the direction of text, and broken bytes stay as they are.
  ['/a%2Fb%20c%E2%80%AEd%FF', '/a%2Fb%20c%E2%80%AEd%FF'],
])('the path %s reads %s', (path, readable) => {
  expect(readablePath(path)).toBe(readable)
})

test.each([
  ['https://api.example.com/users/:id', true],
  ['https://api.example.com/weather/{city}', true],
  ['https://api.example.com/weather/%7Bcity%7D', true],
  ['https://api.example.com:8080/weather', false],
  ['https://api.example.com', false],
])('%s stands for many: %s', (url, many) => {
  expect(isTemplate(url)).toBe(many)
})

const way = (scheme: 'exact' | 'upto' | 'batch-settlement', maxAmountRequired: string) => ({
  scheme,
  maxAmountRequired,
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  resource: 'https://api.example.com',
  description: '',
  mimeType: '',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: 300,
  extra: {},
})

test('a price that is a maximum says so', () => {
  expect(priceOf({ accepts: [way('upto', '20000')] })).toBe(`up to ${priceOf({ accepts: [way('exact', '20000')] })}`)
  expect(priceOf({ accepts: [way('batch-settlement', '20000')] })).toBe(priceOf({ accepts: [way('upto', '20000')] }))
  expect(priceOf({ accepts: [way('exact', '10000'), way('upto', '20000')] })).toMatch(/^from /)
})

test.each([
  [{ minDeposit: '10000' }, '10000'],
  [{}, null],
  [{ minDeposit: '$1' }, null],
  [{ minDeposit: 5 }, null],
])('the least deposit in %j', (extra, deposit) => {
  expect(leastDepositOf({ extra })).toBe(deposit)
})

test('a time is shown by how long ago it was, in the largest unit', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const ago = (seconds: number) => sinceText(new Date(now - seconds * 1_000).toISOString(), now)
  expect([-5, 59, 60, 3_599, 3_600, 86_400, 89 * 86_400].map(ago)).toEqual([
    'just now',
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '1 day ago',
    '89 days ago',
  ])
})
