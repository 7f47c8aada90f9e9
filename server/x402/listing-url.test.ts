import { describe, expect, test } from 'vitest'
import { listedUrl, routeTemplateIn } from './listing-url'

const open = { privateHosts: false }
const listed = (written: string, template: string | null = null) => {
  const place = listedUrl(written, template, open)
  return 'rejected' in place ? place.rejected : place.url
}

describe('the address of a listing', () => {
  test('is origin and path: no query, no fragment', () => {
    expect(listed('https://API.Weather.com/v1/today?key=secret#top')).toBe('https://api.weather.com/v1/today')
    expect(listed('http://weather.com:8080')).toBe('http://weather.com:8080/')
  })

  test('takes the template of the route, where there is one', () => {
    expect(listed('https://weather.com/cities/lisbon', '/cities/:city')).toBe('https://weather.com/cities/:city')
  })

  test('has one spelling, so that no other one is listed beside it', () => {
    const spellings = ['/a%20b/', '/%61%20b/', '/%61%20%62/', '/x/%2E%2e/a%20b/', '/a%20%62%2f']
    expect(spellings.map((path) => listed(`https://weather.com${path}`))).toEqual([
      ...Array.from({ length: 4 }, () => 'https://weather.com/a%20b/'),
      // An encoded slash is another path, and an encoded percent sign is no spelling of what follows it.
      'https://weather.com/a%20b%2F',
    ])
    expect(listed('https://weather.com/%2561')).toBe('https://weather.com/%2561')
    expect(listed('https://weather.com/x', '/%63ities/:city')).toBe('https://weather.com/cities/:city')
  })

  test('has the A-label of an international host', () => {
    expect(listed('https://bücher.de/x')).toBe('https://xn--bcher-kva.de/x')
    // The first letter is Cyrillic.
    expect(listed('https://аpple.com/')).toBe('https://xn--pple-43d.com/')
  })

  test.each([
    ['', 'no URL'],
    ['/weather', 'absolute'],
    ['javascript:alert(1)', 'http(s)'],
    ['data:text/html,x', 'http(s)'],
    ['ftp://weather.com/', 'http(s)'],
    ['https://user@weather.com/', 'user name'],
    ['https://weather.com:secret@evil.com/', 'user name'],
    ['https://weather.com/a b', 'blanks'],
    ['https://weather.com/\u202egnp', 'seen'],
    ['https:\\\\weather.com/', 'backslashes'],
    [`https://weather.com/${'ü'.repeat(700)}`, 'longer than 2048'],
  ])('is refused: %j', (written, why) => {
    expect(listed(written)).toContain(why)
  })

  test.each([
    'http://localhost:4021/x',
    'http://weather/x',
    'http://printer.local/',
    'http://db.internal/',
    'http://a.localhost/',
    'http://weather.com.local./',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://8.8.8.8/',
    'http://[::1]/',
    'http://[2606:4700::1]/',
  ])('%s is private, so it is listed only where that is allowed', (written) => {
    expect(listed(written)).toContain('private, local, an IP address or a single label')
    expect(listedUrl(written, null, { privateHosts: true })).toMatchObject({ url: expect.stringContaining('http://') })
  })
})

describe('the template of a route', () => {
  test.each(['/users/:id', '/a/b-c_d.e~f', '/%7Buser%7D'])('%s is taken', (template) => {
    expect(routeTemplateIn(template)).toBe(template)
  })

  test.each([
    undefined,
    7,
    '',
    'users/:id',
    '/a/../b',
    '/a/%2e%2e/b',
    '/a/%252e%252e/b',
    '//evil.com/:x?y',
    '/http://evil.com',
    '/http%3A%2F%2Fevil.com',
    '/%zz',
    `/${'%25'.repeat(10)}41`.replace('%25%25', '%252525252525'),
    '/a b',
  ])('%j is not', (template) => {
    expect(routeTemplateIn(template)).toBeNull()
  })
})
