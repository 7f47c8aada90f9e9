import { expect, test } from 'vitest'
import { keyText } from './top-up'

const having = (count: number) => ({
  mostKeys: 5,
  keys: Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    prefix: 'qt_',
    createdAt: '2026-11-21T12:00:00Z',
    lastUsedAt: null,
  })),
})

test('a purchase keeps the keys that a wallet has, and gives one to a wallet without', () => {
  expect(keyText(having(0), 'keep')).toBe('You get a new key. We show it once.')
  expect(keyText(having(1), 'keep')).toBe('Not needed: your key spends the new credits too.')
  expect(keyText(having(5), 'keep')).toBe('Not needed: your 5 keys spend the new credits too.')
})

test('a purchase makes a new key on request, and says what becomes of the others', () => {
  expect(keyText(having(0), 'new')).toBe('You get a new key. We show it once.')
  expect(keyText(having(1), 'new')).toBe('You get a new key. Your other key keeps working; all share your credits.')
  expect(keyText(having(4), 'new')).toBe('You get a new key. Your 4 other keys keep working; all share your credits.')
  expect(keyText(having(5), 'new')).toContain('it revokes the one unused for longest')
})
