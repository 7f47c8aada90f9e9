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

test('a purchase makes a new key, and says what becomes of the others', () => {
  expect(keyText(having(0))).toBe('You get a new key. We show it once.')
  expect(keyText(having(1))).toBe('You get a new key. Your other key keeps working; all share your credits.')
  expect(keyText(having(4))).toBe('You get a new key. Your 4 other keys keep working; all share your credits.')
  expect(keyText(having(5))).toContain('it revokes the one unused for longest')
})
