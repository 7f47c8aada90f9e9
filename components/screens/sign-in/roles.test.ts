import { expect, test } from 'vitest'
import { destinationOf, roleAt } from './roles'

const at = (path: string) => `https://pay.example.com${path}`

test('a screen belongs to one role, and other pages to none', () => {
  const paths = ['/dashboard', '/dashboard/keys', '/payments/1', '/agent/settlements', '/agents', '/console', '/explain', '/']
  expect(paths.map(roleAt)).toEqual(['seller', 'seller', 'payer', 'agent', null, null, null, null])
})

test.each([
  ['seller', null, '/dashboard'],
  ['payer', null, '/payments'],
  ['agent', null, '/agent'],
  ['seller', at('/dashboard/keys?new=true'), at('/dashboard/keys?new=true')],
  ['payer', at('/explain?id=1'), at('/explain?id=1')],
  ['payer', at('/dashboard/keys'), '/payments'],
  ['seller', at('/payments/1'), '/dashboard'],
] as const)('a %s who comes from %s goes to %s', (role, from, to) => {
  expect(destinationOf(role, from)).toBe(to)
})
