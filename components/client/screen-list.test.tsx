import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Closed } from '../screens/shell/closed'
import { closedTo, screenAt, screensOf, type Who } from './screen-list'

const administrator: Who = { account: 'a', kind: 'admin', admin: true, name: 'Administrator' }

const ACCOUNTS: Who[] = [
  { account: 'b', kind: 'merchant', admin: false, name: 'alice' },
  { account: 'c', kind: 'merchant', admin: true, name: 'ada' },
  { account: 'd', kind: 'wallet', admin: false, name: '0x1111111111111111111111111111111111111111' },
  administrator,
]

test.each(ACCOUNTS)('every screen of $name has its own key', (who) => {
  const keys = screensOf(who).flatMap(({ screens }) => screens.map(({ key }) => key))
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
  // `g` is the prefix.
  expect(keys.filter((key) => !/^[a-fh-z]$/.test(key))).toEqual([])
})

test.each([
  ['/dashboard', 'merchant'],
  ['/dashboard/keys', 'merchant'],
  ['/payments/0190', 'wallet'],
  ['/agent', 'wallet'],
  ['/console/tenants', 'admin'],
] as const)('%s opens only for its accounts: %s', (pathname, kind) => {
  const open = ACCOUNTS.filter((who) => closedTo(who, pathname) === null).map((who) => (who.admin ? 'admin' : who.kind))
  const expected = { merchant: ['merchant', 'admin', 'wallet'], wallet: ['wallet'], admin: ['admin', 'admin'] }
  expect(open).toEqual(expected[kind])
})

test('an account at a screen of others gets a link to its own first screen and one to sign in', () => {
  const html = renderToStaticMarkup(<Closed who={administrator} pathname="/dashboard/keys" />)
  expect(html).toContain('This screen is for merchants')
  expect(html).toMatch(/href="\/console"[^>]*>Open Platform</)
  expect(html).toMatch(/href="\/sign-in\?to=%2Fdashboard%2Fkeys"[^>]*>Sign in as a merchant</)
  expect(html).toMatch(/Screen<\/dt><dd[^>]*>API keys</)
  expect(html).toMatch(/Signed in as<\/dt><dd[^>]*><span title="Administrator">Administrator</)
})

test('a page is named by its screen, also below it; other pages have no name', () => {
  expect(['/dashboard', '/dashboard/keys', '/payments/0190', '/docs', ''].map(screenAt)).toEqual([
    'Overview',
    'API keys',
    'Payments',
    null,
    null,
  ])
})
