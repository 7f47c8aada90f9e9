import { describe, expect, test } from 'vitest'
import { confirms, type Doubt, failureOf } from './verdict'

const doubt = (changed: Partial<Doubt> = {}): Doubt => ({ kind: 'absent', block: 10n, at: 0, used: false, ...changed })

describe('a doubt is confirmed', () => {
  test('only by a later look of the same kind that read the same', () => {
    expect(confirms(doubt(), doubt({ block: 12n }), 2n, 500)).toBe(true)
    expect(confirms(doubt(), doubt({ block: 11n }), 2n, 500)).toBe(false)
    expect(confirms(doubt(), doubt({ block: 12n, used: true }), 2n, 500)).toBe(false)
    expect(confirms(doubt(), doubt({ block: 12n, kind: 'silent' }), 2n, 500)).toBe(false)
  })

  test('for a reverted transaction that is deep already, by the next block or a while later', () => {
    const reverted = doubt({ kind: 'reverted' })
    expect(confirms(reverted, { ...reverted, at: 1 }, 2n, 500)).toBe(false)
    expect(confirms(reverted, { ...reverted, at: 500 }, 2n, 500)).toBe(true)
    expect(confirms(reverted, { ...reverted, block: 11n, at: 1 }, 2n, 500)).toBe(true)
  })
})

describe('a confirmed doubt proves', () => {
  test.each([
    ['reverted', false, true, 'REVERTED'],
    ['reverted', true, true, 'USED_ELSEWHERE'],
    ['silent', false, true, 'REVERTED'],
    ['absent', false, false, 'EXPIRED'],
    ['absent', false, true, 'EXPIRED'],
    ['absent', true, false, 'USED_ELSEWHERE'],
  ] as const)('%s, authorization used: %s, nonce used: %s → %s', (kind, used, nonceUsed, state) => {
    expect(failureOf(doubt({ kind, used }), nonceUsed)).toBe(state)
  })

  test('nothing while our own transaction may be what used the authorization', () => {
    expect(failureOf(doubt({ kind: 'absent', used: true }), true)).toBeNull()
    expect(failureOf(doubt({ kind: 'silent', used: true }), true)).toBeNull()
  })
})
