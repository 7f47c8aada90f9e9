import { createSecretKey, randomBytes } from 'node:crypto'
import { exportJWK, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepLog } from '../../test/support/log-lines'
import { type Claims, type Issuer, issuerKey, startIssuer } from '../../test/support/service/issuer'
import { isServiceError } from '../base/errors'
import { createIssuerKeys } from './issuer-keys'
import { createMerchantTokens, type ProveMerchant } from './merchant-token'
import { issuerKeys } from './oidc'

const START = new Date('2026-11-21T12:00:00Z').getTime()
const seconds = START / 1_000
let now = START
let issuer: Issuer
let prove: ProveMerchant
let lines: string[]
beforeEach(async () => {
  now = START
  issuer = await startIssuer({ now: () => new Date(now) })
  prove = prover()
})
afterEach(() => issuer.close())

function prover(name = issuer.url): ProveMerchant {
  const kept = keepLog()
  lines = kept.lines
  const clock = () => new Date(now)
  const keys = createIssuerKeys({ read: issuerKeys(name, 2_000), now: clock, log: kept.log })
  return createMerchantTokens({ issuer: name, audience: 'quittance', keys, now: clock })
}

/** The merchant, or the refusal's kind and message. */
async function answerTo(token: string | Promise<string>, by = prove): Promise<string> {
  return by(await token).catch((error: unknown) => {
    if (!isServiceError(error)) throw error
    return `${error.refusal}: ${error.message}`
  })
}

describe('a token of the identity provider is accepted for its sub', () => {
  test.each(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])('signed with %s', async (alg) => {
    const key = await issuerKey('another', alg)
    issuer.keys.push(key)
    expect(await answerTo(issuer.token({ sub: 'auth0|5f7c' }, {}, key))).toBe('auth0|5f7c')
  })

  const FINE: [string, Claims, { typ?: string }][] = [
    ['with one audience among others', { aud: ['another', 'quittance'] }, {}],
    ['that ended a minute ago', { exp: seconds - 59 }, {}],
    ['that begins in a minute', { nbf: seconds + 60 }, {}],
    ['as an access token (RFC 9068)', {}, { typ: 'at+jwt' }],
    ['as a plain JWT', {}, { typ: 'JWT' }],
    ['of 200 characters', { sub: 'x'.repeat(200) }, {}],
  ]
  test.each(FINE)('%s', async (_, claims, header) => {
    expect(await answerTo(issuer.token(claims, header))).toBe(claims.sub ?? 'merchant')
  })
})

describe('one broken claim is one refusal that says which', () => {
  const BROKEN: [string, Claims, RegExp][] = [
    ['another issuer', { iss: 'https://evil.test' }, /another issuer/],
    ['the issuer with a slash', { iss: 'http://127.0.0.1/' }, /another issuer/],
    ['no issuer', { iss: undefined }, /another issuer/],
    ['another audience', { aud: 'another' }, /has another audience/],
    ['no audience', { aud: undefined }, /has another audience/],
    ['an audience that begins like ours', { aud: 'quittance.evil' }, /has another audience/],
    ['no expiry', { exp: undefined }, /no valid expiry/],
    ['an expiry more than a minute ago', { exp: seconds - 61 }, /has expired/],
    ['a beginning to come', { nbf: seconds + 61 }, /not valid yet/],
    ['no sub', { sub: undefined }, /has no subject|sub must be/],
    ['an empty sub', { sub: '' }, /sub must be/],
    ['a sub that is too long', { sub: 'x'.repeat(201) }, /sub must be/],
    ['a sub that no database keeps', { sub: 'a\0b' }, /sub must be/],
  ]
  test.each(BROKEN)('%s', async (_, claims, says) => {
    const answer = await answerTo(issuer.token(claims))
    expect(answer).toMatch(/^unauthorized: /)
    expect(answer).toMatch(says)
    expect(answer).toMatch(/sign in with the identity provider/)
  })

  test('another kind of token of the same issuer', async () => {
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt']) {
      expect(await answerTo(issuer.token({}, { typ }))).toMatch(/^unauthorized: .*another kind/)
    }
  })

  test.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d.e', `st_${'x'.repeat(43)}`, `qt_${'x'.repeat(43)}`])('"%s"', async (text) => {
    expect(await answerTo(text)).toMatch(/^unauthorized: the (bearer token is not a JWT|token cannot be read)/)
    expect(issuer.asked).toEqual([])
  })
})

describe('a forgeable signature', () => {
  const claims = () => ({ iss: issuer.url, aud: 'quittance', sub: 'merchant', exp: seconds + 600 })

  test('none at all', async () => {
    expect(await answerTo(new UnsecuredJWT(claims()).encode())).toMatch(/^unauthorized: .*(must be signed|cannot be read)/)
  })

  test('an HMAC whose secret is the public key', async () => {
    const jwk = issuer.keys[0]?.jwk ?? {}
    const spki = await exportSPKI((await importJWK(jwk, 'ES256', { extractable: true })) as CryptoKey)
    for (const secret of [spki, JSON.stringify(jwk), JSON.stringify(await exportJWK(createSecretKey(randomBytes(32))))]) {
      const token = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(Buffer.from(secret))
      expect(await answerTo(token)).toMatch(/^unauthorized: .*must be signed with one of/)
    }
  })

  test('a key of its own under a known name, by value or by address: jwk, jku and x5u are never followed', async () => {
    const forged = await issuerKey('first')
    const evil = await startIssuer()
    evil.keys.splice(0, 1, forged)
    const headers = [{}, { jwk: forged.jwk }, { jku: `${evil.url}/keys` }, { x5u: `${evil.url}/keys` }]
    for (const header of headers) {
      expect(await answerTo(issuer.token({}, header, forged))).toMatch(/^unauthorized: .*wrong signature/)
    }
    expect(evil.asked).toEqual([])
    await evil.close()
  })

  test('another message under the signature', async () => {
    const [header, , signature] = (await issuer.token()).split('.')
    const body = Buffer.from(JSON.stringify({ ...claims(), sub: 'another' })).toString('base64url')
    expect(await answerTo([header, body, signature].join('.'))).toMatch(/^unauthorized: .*wrong signature/)
  })

  test('an extension that must be understood and is not', async () => {
    const token = new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 })
    const key = issuer.keys[0]
    if (!key) throw new Error('the issuer has no key')
    const made = await token.sign(key.privateKey, { crit: { x: true } })
    expect(await answerTo(made)).toMatch(/^unauthorized: /)
  })

  test('no refusal quotes the token', async () => {
    const token = await issuer.token({ aud: 'a-word-of-the-token' })
    expect(await answerTo(token)).not.toMatch(/a-word|eyJ/)
  })
})

describe('keys', () => {
  test('are read once for many tokens, and only when the first one comes', async () => {
    expect(issuer.asked).toEqual([])
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.token()))
    expect(new Set(await Promise.all(tokens.map((token) => answerTo(token))))).toEqual(new Set(['merchant']))
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
  })

  test('that are new are read for the first token with one, and removed ones are invalid', async () => {
    const old = await issuer.token()
    expect(await answerTo(old)).toBe('merchant')
    issuer.keys.splice(0, 1, await issuerKey('second'))
    now += 5_000
    expect(await answerTo(issuer.token())).toBe('merchant')
    expect(await answerTo(old)).toMatch(/^unauthorized: .*not signed with a key of the identity provider/)
  })

  test('that are removed are invalid after ten minutes, also for the first token then', async () => {
    const old = await issuer.token()
    expect(await answerTo(old)).toBe('merchant')
    issuer.keys.splice(0, 1, await issuerKey('second'))
    now += 600_001 - 60_000
    expect(await answerTo(old)).toBe('merchant')
    now += 60_000
    expect(await answerTo(old)).toMatch(/^unauthorized: .*not signed with a key of the identity provider/)
  })

  test('that are invented cause one request in five seconds', async () => {
    await answerTo(issuer.token())
    const invented = await issuerKey('invented')
    for (let second = 0; second < 12; second++, now += 1_000) {
      expect(await answerTo(issuer.token({}, {}, invented))).toMatch(/^unauthorized: .*not signed with a key/)
    }
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(3)
  })

  test('serve for a day while the issuer is down, and unknown ones are a 503', async () => {
    expect(await answerTo(issuer.token())).toBe('merchant')
    issuer.answer({ status: 500 })
    now += 23 * 3_600_000
    expect(await answerTo(issuer.token())).toBe('merchant')
    expect(await answerTo(issuer.token({}, {}, await issuerKey('unknown')))).toMatch(/^unavailable: .*cannot be read/)
    expect(await answerTo(issuer.token({ aud: 'x' }))).toMatch(/^unauthorized: /)
    now += 3_600_001
    expect(await answerTo(issuer.token())).toMatch(/^unavailable: /)
    issuer.answer(null)
    now += 5_000
    expect(await answerTo(issuer.token())).toBe('merchant')
  })

  const AWAY: [string, Parameters<Issuer['answer']>[0], path?: string][] = [
    ['answers 500', { status: 500 }],
    ['hangs', { hang: true }],
    ['redirects', { status: 302, headers: { location: 'http://evil.test/' } }],
    ['sends nonsense', { body: '<html>' }],
    ['sends no keys', { body: '{"keys":[]}' }, '/keys'],
    ['sends too much', { body: JSON.stringify({ keys: [{ kty: 'x', pad: 'x'.repeat(300_000) }] }) }, '/keys'],
    ['is another one', { body: '{"issuer":"https://evil.test","jwks_uri":"https://evil.test/keys"}' }],
  ]
  test.each(AWAY)(
    'of an issuer that %s are unknown: 503 without keys, one line in the log, and no waiting for the next token',
    async (_, how, path) => {
      issuer.answer(how, path)
      const token = await issuer.token()
      expect(await answerTo(token)).toMatch(/^unavailable: .*try again shortly/)
      const asked = issuer.asked.length
      expect(await answerTo(token)).toMatch(/^unavailable: /)
      expect(issuer.asked).toHaveLength(asked)
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain(token)
      issuer.answer(null, path)
      now += 5_000
      expect(await answerTo(token)).toBe('merchant')
    },
  )

  test('of an unreachable issuer are a 503', async () => {
    expect(await answerTo(issuer.token(), prover('http://127.0.0.1:1'))).toMatch(/^unavailable: /)
  })
})
