import { expect, test } from 'vitest'
import { keyName, keyNameAmong } from './key-name'

test('a key without a name has the same one everywhere, and its id tells it from others', () => {
  const id = '0190a1b2-0000-7000-8000-000000000000'
  expect([keyName({ name: 'shop' }), keyName({ name: '' })]).toEqual(['shop', 'Unnamed key'])
  expect([keyNameAmong({ id, name: 'shop' }), keyNameAmong({ id, name: '' })]).toEqual(['shop', 'Unnamed key 0190a1b2'])
})
