import { expect, test } from 'vitest'
import { titleOf } from './explorer'

test('a network has its name, also while it is off', () => {
  expect(titleOf('eip155:8453')).toBe('Base')
  expect(titleOf('eip155:137')).toBe('Polygon')
  expect(titleOf('eip155:11155111')).toBe('Ethereum Sepolia')
})

test('a network that is not known shows its id', () => {
  for (const id of ['eip155:999999', 'cosmos:1', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', '']) expect(titleOf(id)).toBe(id)
})
