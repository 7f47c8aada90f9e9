import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { bundled } from '../bundle'
import { spawnTied, stopChild } from '../child'

/** A private key that can sign JWTs, as a JWK. */
export const signingKey = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), alg: z.literal('RS256'), d: z.string() })
type SigningKey = z.output<typeof signingKey>

/** What the program of the local identity provider reads. */
export const optionsSchema = z.object({
  issuer: z.url(),
  /** The service whose merchants sign in here: the audience of the tokens and the origin of the dashboard. */
  baseUrl: z.url(),
  clientSecret: z.string(),
  key: signingKey,
})
export type IdentityOptions = z.output<typeof optionsSchema>

/** The one client of the provider: the dashboard of the service. */
export const CLIENT_ID = 'quittance-dashboard'

/** A valid user name. Nothing else about a user is checked. */
export const userName = z
  .string()
  .trim()
  .regex(/^[^\p{C}]{1,200}$/u)

export type IdentityProvider = { issuer: string; stop: () => Promise<void> }

const root = join(import.meta.dirname, '..', '..')

/** Starts a local OpenID provider on the port of its issuer; it ends with this process at the latest. Throws its output when it does not start. */
export async function startIdentityProvider(options: IdentityOptions): Promise<IdentityProvider> {
  const program = await bundled(join(import.meta.dirname, 'main.ts'))
  // In the environment, because every user of the machine can read arguments, and the key is secret.
  const env = { ...process.env, IDENTITY: JSON.stringify(options) }
  const child = spawnTied(process.execPath, [program], { cwd: root, env, output: 'pipe' })
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the local identity provider has no output')
  let output = ''
  stderr.on('data', (piece: Buffer) => {
    output += piece.toString()
  })
  const ended = once(child, 'close').then(() =>
    Promise.reject(new Error(`The local identity provider did not start:\n${output}`)),
  )
  const [line] = await Promise.race([once(createInterface(stdout), 'line'), ended])
  if (!String(line).startsWith('Listening')) throw new Error(`The local identity provider printed: ${line}`)
  ended.catch(() => {})
  return { issuer: options.issuer, stop: () => stopChild(child, 5_000) }
}

/** A new key for a local identity provider. */
export function newSigningKey(): SigningKey {
  // Node 20 can hang when it exports a key object that `generateKeyPairSync` itself returned: its garbage collector takes the same lock.
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return signingKey.parse({
    ...createPrivateKey(privateKey).export({ format: 'jwk' }),
    kid: randomUUID(),
    alg: 'RS256',
    use: 'sig',
  })
}

export type TokenOptions = { issuer: string; baseUrl: string; key: SigningKey; user: string }

const LIFETIME = '12 hours'

/** The access token that the provider would give a user after sign-in, signed with the provider's key: for the command line. */
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
