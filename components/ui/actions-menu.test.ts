import { expect, test } from 'vitest'
import { nextPlace } from './actions-menu'

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 0, 2],
  ['ArrowUp', -1, 2],
  ['ArrowUp', 2, 1],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Enter', 0, null],
])('%s at place %i of three actions moves to %s', (key, at, to) => {
  expect(nextPlace(key, at, 3)).toBe(to)
})

test('a menu whose actions are all disabled moves nowhere', () => {
  expect(nextPlace('ArrowDown', -1, 0)).toBeNull()
})
