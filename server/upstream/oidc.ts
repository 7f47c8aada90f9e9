import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { bodyOf, codesOf, jsonOrUndefined } from './remote-http'

/** Reads the public keys with which an identity provider signs at this moment. */
export type ReadKeys = () => Promise<JSONWebKeySet>

const TIMEOUT_MS = 4_000

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const Keys = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }))
    .min(1)
    .max(100),
})

/**
 * Reads the keys of an issuer by its discovery document (OpenID Connect Discovery 1.0), which must name this very issuer. Rejects,
 * within a time of its own, for anything else than keys; its errors quote nothing of what was answered.
 */
export function issuerKeys(issuer: string, timeoutMs = TIMEOUT_MS): ReadKeys {
  const discovery = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  return async () => {
    const signal = AbortSignal.timeout(timeoutMs)
    const document = Discovery.safeParse(await json(discovery, 'the discovery document', signal))
    if (!document.success) throw new Error('the discovery document of OIDC_ISSUER names no issuer and jwks_uri')
    if (document.data.issuer !== issuer) {
      throw new Error('the discovery document is of another issuer; OIDC_ISSUER must be spelled as it is there')
    }
    const { jwks_uri } = document.data
    // Keys that came in the clear could be anybody's.
    if (/^https:/i.test(issuer) && !/^https:/i.test(jwks_uri)) throw new Error('the jwks_uri of OIDC_ISSUER is not https')
    const keys = Keys.safeParse(await json(jwks_uri, 'the list of keys', signal))
    if (!keys.success) throw new Error('the list of keys of OIDC_ISSUER holds no keys')
    return keys.data
  }
}

async function json(url: string, what: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return jsonOrUndefined(await bodyOf(response))
  } catch (error) {
    const { detail } = codesOf(error)
    const said = error instanceof Error && /^(status \d+|too long)$/.test(error.message) ? error.message : detail
    throw new Error(`${what} of OIDC_ISSUER could not be read: ${said}`)
  }
}
