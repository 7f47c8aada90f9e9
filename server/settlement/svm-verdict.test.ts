import { describe, expect, test } from 'vitest'
import { isGoneForGood, sightSvm } from './svm-verdict'

const at = (commitment: 'processed' | 'confirmed' | 'finalized', failed = false) => ({ slot: 9n, commitment, failed })

describe('one look at a transaction', () => {
  test('a success counts once it is confirmed', () => {
    expect([at('processed'), at('confirmed'), at('finalized')].map(sightSvm)).toEqual(['waiting', 'landed', 'landed'])
  })

  test('a failure counts only once it can never change', () => {
    const looks = [at('processed', true), at('confirmed', true), at('finalized', true)]
    expect(looks.map(sightSvm)).toEqual(['waiting', 'waiting', 'failed'])
  })

  test('a node that knows nothing proves nothing', () => {
    expect(sightSvm(null)).toBe('missing')
  })
})

describe('a transaction that is not to be seen', () => {
  const gone = { finalized: 151n, lastHeight: 150n, firstSlot: 5n, sinceSlot: 9n, blockhashValid: false }

  test('is gone for good past its last height, at a node that would know', () => {
    expect(isGoneForGood(gone)).toBe(true)
  })

  test.each([
    ['its last height is not final yet', { finalized: 150n }],
    ['the node has forgotten the time in which it may have landed', { firstSlot: 10n }],
    ['the node would still take its blockhash', { blockhashValid: true }],
  ])('is not given up while %s', (_, facts) => {
    expect(isGoneForGood({ ...gone, ...facts })).toBe(false)
  })
})
