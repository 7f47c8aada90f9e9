import { describe, expect, test } from 'vitest'
import { type Circumstances, conclusion, confirms, type SuspectedFailure } from './verdict'

const seen = (changed: Partial<SuspectedFailure> = {}): SuspectedFailure => ({
  kind: 'absent',
  block: 10n,
  at: 0,
  used: false,
  ...changed,
})

describe('a suspected failure is confirmed', () => {
  test('only by a later check of the same kind that read the same', () => {
    expect(confirms(seen(), seen({ block: 12n }), 2n, 500)).toBe(true)
    expect(confirms(seen(), seen({ block: 11n }), 2n, 500)).toBe(false)
    expect(confirms(seen(), seen({ block: 12n, used: true }), 2n, 500)).toBe(false)
    expect(confirms(seen(), seen({ block: 12n, kind: 'unlogged' }), 2n, 500)).toBe(false)
  })

  test('for a reverted transaction that is deep already, by the next block or a while later', () => {
    const reverted = seen({ kind: 'reverted' })
    expect(confirms(reverted, { ...reverted, at: 1 }, 2n, 500)).toBe(false)
    expect(confirms(reverted, { ...reverted, at: 500 }, 2n, 500)).toBe(true)
    expect(confirms(reverted, { ...reverted, block: 11n, at: 1 }, 2n, 500)).toBe(true)
  })
})

const alone: Circumstances = {
  shared: false,
  deploys: false,
  expired: false,
  mayBeOurs: false,
  lied: false,
  silent: null,
  over: false,
}

describe('a confirmed failure proves', () => {
  test.each([
    ['reverted', false, {}, 'UNPAID'],
    ['reverted', false, { expired: true }, 'UNPAID'],
    ['reverted', true, {}, 'USED_ELSEWHERE'],
    ['reverted', false, { shared: true }, 'CLAIMED'],
    ['reverted', false, { shared: true, expired: true }, 'UNPAID'],
    ['reverted', true, { shared: true }, 'USED_ELSEWHERE'],
    ['unlogged', false, { expired: true }, 'REVERTED'],
    ['unlogged', false, { shared: true }, 'CLAIMED'],
    ['unlogged', false, { shared: true, expired: true }, 'UNPAID'],
    ['unlogged', false, { deploys: true }, 'UNPAID'],
    ['unlogged', true, { shared: true }, 'USED_ELSEWHERE'],
    ['unlogged', true, { lied: true }, 'REVERTED'],
    ['unlogged', true, { lied: true, shared: true }, 'REVERTED'],
    ['unlogged', false, { lied: true, shared: true }, 'CLAIMED'],
    ['unlogged', true, { over: true }, 'REVERTED'],
    ['unlogged', true, { over: true, shared: true, mayBeOurs: true }, 'REVERTED'],
    ['unlogged', true, { over: true, shared: true }, 'USED_ELSEWHERE'],
    ['unlogged', true, { silent: { used: 'INCLUDED', unused: null } }, 'INCLUDED'],
    ['unlogged', true, { silent: { used: 'INCLUDED', unused: null }, over: true, mayBeOurs: true }, 'INCLUDED'],
    ['unlogged', false, { silent: { used: 'INCLUDED', unused: null }, over: true }, 'REVERTED'],
    ['unlogged', false, { silent: { used: 'INCLUDED', unused: 'UNPAID' } }, 'UNPAID'],
    ['unlogged', true, { silent: { used: 'UNPAID', unused: null }, mayBeOurs: true }, 'UNPAID'],
    ['displaced', false, {}, 'CLAIMED'],
    ['displaced', false, { expired: true }, 'EXPIRED'],
    ['displaced', true, {}, 'USED_ELSEWHERE'],
    ['absent', false, { expired: true }, 'EXPIRED'],
    ['absent', false, { expired: true, mayBeOurs: true }, 'EXPIRED'],
    ['absent', true, { expired: true }, 'USED_ELSEWHERE'],
  ] as const)('%s, authorization used: %s, %o → %s', (kind, used, circumstances, state) => {
    expect(conclusion(seen({ kind, used }), { ...alone, ...circumstances })).toBe(state)
  })

  test('nothing while our own transaction may be what used the authorization', () => {
    expect(conclusion(seen({ kind: 'absent', used: true }), { ...alone, expired: true, mayBeOurs: true })).toBeNull()
    expect(conclusion(seen({ kind: 'unlogged', used: true }), { ...alone, expired: true })).toBeNull()
    expect(conclusion(seen({ kind: 'unlogged' }), { ...alone, silent: { used: 'INCLUDED', unused: null } })).toBeNull()
    expect(conclusion(seen({ kind: 'unlogged', used: true }), { ...alone, shared: true, mayBeOurs: true })).toBeNull()
  })
})
