import { expect, test } from 'vitest'
import { readOptions } from './options'

const runs = (...args: string[]) =>
  readOptions(args).scenarios.map(
    ({ shape, blockTimeSeconds, lanes, rounds }) => `${shape} ${blockTimeSeconds} s, ${lanes} lanes, ${rounds} rounds`,
  )

test('without arguments both shapes run, that of users with both block times and numbers of lanes', () => {
  expect(runs()).toEqual([
    'users 0.2 s, 4 lanes, 3 rounds',
    'users 0.2 s, 1 lanes, 3 rounds',
    'users 0 s, 4 lanes, 3 rounds',
    'users 0 s, 1 lanes, 3 rounds',
    'one-key 0.2 s, 1 lanes, 1 rounds',
  ])
})

test('arguments choose the block time and the rounds, options the rest', () => {
  expect(runs('2', '5', '--shape', 'one-key', '--lanes', '3')).toEqual(['one-key 2 s, 1 lanes, 5 rounds'])
  expect(runs('0', '--shape', 'users', '--lanes', '2', '--rounds', '1')).toEqual(['users 0 s, 2 lanes, 1 rounds'])
  expect(readOptions(['--adapter', 'a.ts', '--adapter', 'b.ts', '--out', 'docs'])).toMatchObject({
    adapters: ['a.ts', 'b.ts'],
    out: 'docs',
  })
})

test.each([
  [['fast'], 'block time is not a number of at least 0: fast'],
  [['0.2', '0'], 'rounds is not a number of at least 1: 0'],
  [['--lanes', '1.5'], 'lanes is not a whole number: 1.5'],
  [['0.2', '3', '4'], 'too many arguments: 4'],
  [['--shape', 'round'], 'no shape is named round'],
  [['--nothing'], "Unknown option '--nothing'"],
])('%j is an error with the usage', (args, error) => {
  expect(() => readOptions(args)).toThrow(error)
  expect(() => readOptions(args)).toThrow('npm run bench -- [block time')
})
