import { describe, expect, test } from 'vitest'
import { type Circumstances, conclusion, confirms, type Doubt } from './verdict'

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

const alone: Circumstances = { shared: false, expired: false, mayBeOurs: false, lied: false }

describe('a confirmed doubt proves', () => {
  test.each([
    ['reverted', false, {}, 'REVERTED'],
    ['reverted', true, {}, 'USED_ELSEWHERE'],
    ['reverted', false, { shared: true }, 'CLAIMED'],
    ['reverted', false, { shared: true, expired: true }, 'EXPIRED'],
    ['reverted', true, { shared: true }, 'USED_ELSEWHERE'],
    ['silent', false, { expired: true }, 'REVERTED'],
    ['silent', false, { shared: true }, 'CLAIMED'],
    ['silent', false, { shared: true, expired: true }, 'EXPIRED'],
    ['silent', true, { shared: true }, 'USED_ELSEWHERE'],
    ['silent', true, { lied: true }, 'REVERTED'],
    ['silent', true, { lied: true, shared: true }, 'REVERTED'],
    ['silent', false, { lied: true, shared: true }, 'CLAIMED'],
    ['displaced', false, {}, 'CLAIMED'],
    ['displaced', false, { expired: true }, 'EXPIRED'],
    ['displaced', true, {}, 'USED_ELSEWHERE'],
    ['absent', false, { expired: true }, 'EXPIRED'],
    ['absent', false, { expired: true, mayBeOurs: true }, 'EXPIRED'],
    ['absent', true, { expired: true }, 'USED_ELSEWHERE'],
  ] as const)('%s, authorization used: %s, %o → %s', (kind, used, circumstances, state) => {
    expect(conclusion(doubt({ kind, used }), { ...alone, ...circumstances })).toBe(state)
  })

  test('nothing while our own transaction may be what used the authorization', () => {
    expect(conclusion(doubt({ kind: 'absent', used: true }), { ...alone, expired: true, mayBeOurs: true })).toBeNull()
    expect(conclusion(doubt({ kind: 'silent', used: true }), { ...alone, expired: true })).toBeNull()
    expect(conclusion(doubt({ kind: 'silent', used: true }), { ...alone, shared: true, mayBeOurs: true })).toBeNull()
  })
})
