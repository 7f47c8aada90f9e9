import { expect, test } from 'vitest'
import { screensOf, type Who } from './screens'

const ACCOUNTS: Who[] = [
  { kind: 'merchant', admin: false, name: 'alice' },
  { kind: 'merchant', admin: true, name: 'ada' },
  { kind: 'wallet', admin: false, name: '0x1111111111111111111111111111111111111111' },
  { kind: 'admin', admin: true, name: 'Administrator' },
]

test.each(ACCOUNTS)('every screen of $name has its own key', (who) => {
  const keys = screensOf(who).flatMap(({ screens }) => screens.map(({ key }) => key))
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
  // `g` is the prefix.
  expect(keys.filter((key) => !/^[a-fh-z]$/.test(key))).toEqual([])
})
