import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { type SigningKey, signingKey } from './options'

/** A new key for a local identity provider. */
export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return signingKey.parse({ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' })
}

export type TokenOptions = { issuer: string; baseUrl: string; key: SigningKey; user: string }

const LIFETIME = '12 hours'

/** A token as the provider gives one to somebody who signs in, without signing in: made with the provider's own key, for the command line. */
export function signToken({ issuer, baseUrl, key, user }: TokenOptions): Promise<string> {
  return new SignJWT({ jti: randomUUID(), scope: 'openid' })
    .setProtectedHeader({ alg: key.alg, typ: 'at+jwt', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(baseUrl)
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(key)
}
