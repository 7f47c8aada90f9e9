import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { ServiceError } from '../base/errors'
import { type Log, scrub } from '../base/log'
import { bodyOf, codesOf, jsonOrUndefined } from '../base/upstream'

/** Reads the public keys with which an identity provider signs now. */
type ReadKeys = () => Promise<JSONWebKeySet>

const TIMEOUT_MS = 4_000

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const SignInDocument = Discovery.extend({
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
})
const Keys = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }))
    .min(1)
    .max(100),
})

/**
 * Reads the keys of an issuer by its discovery document (OpenID Connect Discovery 1.0), which must name this exact issuer. Rejects
 * within its own timeout on anything else; errors quote nothing of the response.
 */
export function issuerKeys(issuer: string, timeoutMs = TIMEOUT_MS): ReadKeys {
  return async () => {
    const signal = AbortSignal.timeout(timeoutMs)
    const document = Discovery.safeParse(await discoveryOf(issuer, signal))
    if (!document.success) throw new Error('the discovery document of OIDC_ISSUER has no issuer or no jwks_uri')
    if (document.data.issuer !== issuer) {
      throw new Error('the discovery document has another issuer; OIDC_ISSUER must be spelled exactly as there')
    }
    const { jwks_uri } = document.data
    // Keys over plain http could be forged.
    if (/^https:/i.test(issuer) && !/^https:/i.test(jwks_uri)) throw new Error('the jwks_uri of OIDC_ISSUER is not https')
    const keys = Keys.safeParse(await json(jwks_uri, 'the list of keys', signal))
    if (!keys.success) throw new Error('the key list of OIDC_ISSUER is not a JSON Web Key Set')
    return keys.data
  }
}

/** The sign-in endpoints of an issuer, and how a client authenticates there. */
export type SignInEndpoints = {
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  keysUrl: string
  clientProof: 'client_secret_basic' | 'client_secret_post'
}

/** How long read endpoints are fresh. */
const FRESH_MS = 600_000
/** The minimum time between reads while the issuer is down. */
const COOL_DOWN_MS = 5_000

/**
 * Reads the sign-in endpoints of an issuer, at the first sign-in and every ten minutes, one read at a time. Throws `upstream` when it
 * fails.
 */
export function createSignInEndpoints(
  issuer: string,
  { now, log }: { now: () => Date; log: Log },
): () => Promise<SignInEndpoints> {
  let kept: { reading: Promise<SignInEndpoints>; until: number } | null = null
  return () => {
    if (kept && now().getTime() < kept.until) return kept.reading
    const current = { reading: readSignInEndpoints(issuer), until: Number.POSITIVE_INFINITY }
    kept = current
    current.reading.then(
      () => {
        current.until = now().getTime() + FRESH_MS
      },
      (error: unknown) => {
        log.warn({ err: error }, 'the sign-in endpoints of the identity provider cannot be read')
        current.until = now().getTime() + COOL_DOWN_MS
      },
    )
    return current.reading
  }
}

async function readSignInEndpoints(issuer: string): Promise<SignInEndpoints> {
  const { data } = SignInDocument.safeParse(await discoveryOf(issuer, AbortSignal.timeout(TIMEOUT_MS)).catch(away))
  if (!data) return away(new Error('the discovery document of OIDC_ISSUER has no sign-in endpoints'))
  const methods = data.token_endpoint_auth_methods_supported ?? []
  const onlyPost = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return {
    issuer: data.issuer,
    authorizationUrl: data.authorization_endpoint,
    tokenUrl: data.token_endpoint,
    keysUrl: data.jwks_uri,
    clientProof: onlyPost ? 'client_secret_post' : 'client_secret_basic',
  }
}

function away(cause: unknown): never {
  throw new ServiceError('upstream', 'the identity provider cannot be reached; try again shortly', {
    retryAfterSeconds: COOL_DOWN_MS / 1_000,
    cause,
  })
}

function discoveryOf(issuer: string, signal: AbortSignal): Promise<unknown> {
  return json(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, 'the discovery document', signal)
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

/** Why a sign-in failed, for the log: the provider, its error code (`access_denied`) and its description. */
type SignInFailure = { provider?: string; reason?: string; description?: string }

// Runs of letters and digits as long as codes, tokens and verifiers; names of errors are shorter.
const SECRET = /(?<![\w~+/=.-])(?=[\w~+/=.-]*\d)[\w~+/=.-]{20,}/g

/** The fields of a next-auth failure without URLs, codes and tokens: the provider, or an attacker, chose the text. */
export function signInFailure(reported: unknown): SignInFailure {
  const { error = reported, error_description: description, providerId: provider } = fieldsOf(reported)
  const { message: reason = error } = fieldsOf(error)
  return { ...clean('provider', provider), ...clean('reason', reason), ...clean('description', description) }
}

const clean = (name: keyof SignInFailure, text: unknown): SignInFailure =>
  typeof text === 'string' && text !== '' ? { [name]: shortened(text) } : {}

// Cut after cleaning: half a code would not be recognised.
const shortened = (text: string): string => scrub(text.slice(0, READ_MAX)).replace(SECRET, '<secret>').slice(0, TEXT_MAX)

const READ_MAX = 1_000
const TEXT_MAX = 300

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(FIELDS.flatMap((name) => (name in value ? [[name, Reflect.get(value, name)]] : [])))

const FIELDS = ['error', 'error_description', 'providerId', 'message'] as const
