import { describe, expect, test } from 'vitest'
import { signInFailure } from './oidc'

describe('the reason of a failed sign-in', () => {
  test('is what the identity provider named and how it described it', () => {
    const told = { error: new Error('access_denied'), error_description: 'The user has no account here', providerId: 'oidc' }
    expect(signInFailure(told)).toEqual({
      provider: 'oidc',
      reason: 'access_denied',
      description: 'The user has no account here',
    })
  })

  test('is the error alone where there is no more', () => {
    const message = 'invalid_grant (the code was used before)'
    expect(signInFailure(new Error(message))).toEqual({ reason: message })
    expect(signInFailure({ error: new Error('connect ECONNREFUSED 127.0.0.1:4102'), providerId: 'oidc' })).toEqual({
      provider: 'oidc',
      reason: 'connect ECONNREFUSED 127.0.0.1:4102',
    })
  })

  test('holds no code, no token and no address from any source', () => {
    const code = 'SplxlOBeZQQYbYS6WxSbIA0t2Mk3'
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlMQ'
    const url = `https://login.example/cb?code=${code}`
    for (const secret of [code, token, url, encodeURIComponent(url), `${'f'.repeat(19)}1`, `${code}==`]) {
      const line = JSON.stringify(
        signInFailure({ error: new Error(`bad ${secret}`), error_description: `code=${secret} is over`, providerId: secret }),
      )
      expect([secret, line.includes(secret), line.includes(code)]).toEqual([secret, false, false])
    }
  })

  test('holds no half of one either, where it is cut', () => {
    const code = 'SplxlOBeZQQYbYS6WxSbIA0t2Mk3'
    for (let before = 270; before < 300; before++) {
      const { reason = '' } = signInFailure({ error: `${' '.repeat(before)}${code}` })
      expect([before, reason.includes('Splx')]).toEqual([before, false])
    }
  })

  test('is short, and a text, for any input', () => {
    const long = signInFailure({ error: 'no '.repeat(10_000) })
    expect((long.reason ?? '').length).toBeLessThan(400)
    for (const told of [undefined, null, 7, 'x', {}, { error: {} }, { error: null, error_description: ['a'] }]) {
      expect(Object.values(signInFailure(told)).every((value) => typeof value === 'string')).toBe(true)
    }
  })
})
