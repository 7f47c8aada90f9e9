import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'

/** An issuer's signing key and its public JWK. */
type IssuerKey = { kid: string; alg: string; privateKey: CryptoKey; jwk: JWK }

/** A token's claims; an undefined claim is omitted. */
export type Claims = Record<string, unknown>

/** A fake identity provider: a discovery document, a key set and tokens. */
export type Issuer = {
  url: string
  /** The published key set; tests may change it. */
  keys: IssuerKey[]
  /** The requested paths, in order. */
  asked: string[]
  /** The posted bodies, in order. */
  bodies: string[]
  /** From now on it answers with this instead; null ends that. */
  answer: (how: null | { status?: number; body?: string; hang?: true; headers?: Record<string, string> }, path?: string) => void
  /** A token for the audience `quittance` and the subject `merchant`, valid for ten minutes; the first key signs if `key` is unset. */
  token: (claims?: Claims, header?: Partial<JWTHeaderParameters>, key?: IssuerKey) => Promise<string>
  close: () => Promise<void>
}

/** A new key pair. */
export async function issuerKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Starts an issuer with one key on a free port. `now` is the time of its tokens. */
export async function startIssuer({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Issuer> {
  const asked: string[] = []
  const bodies: string[] = []
  const answers = new Map<string, NonNullable<Parameters<Issuer['answer']>[0]>>()
  const keys = [await issuerKey('first')]
  const server = createServer(async (req, res) => {
    const path = req.url ?? ''
    asked.push(path)
    if (req.method === 'POST') bodies.push(await text(req))
    const how = answers.get(path) ?? answers.get('*')
    if (how?.hang) return
    const right = path === DISCOVERY ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: keys.map(({ jwk }) => jwk) }
    res.writeHead(how?.status ?? 200, how?.headers).end(how?.body ?? JSON.stringify(right))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    keys,
    asked,
    bodies,
    answer(how, path = '*') {
      if (how) answers.set(path, how)
      else answers.delete(path)
    },
    token(claims = {}, header = {}, key = keys[0]) {
      if (!key) throw new Error('the issuer has no key')
      const at = Math.floor(now().getTime() / 1_000)
      const payload: Claims = { iss: url, aud: 'quittance', sub: 'merchant', iat: at, exp: at + 600, ...claims }
      return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const DISCOVERY = '/.well-known/openid-configuration'
