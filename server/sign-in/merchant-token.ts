import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isServiceError, unauthorized } from '../base/errors'

/**
 * Returns the merchant (`sub`) of a JWT of the identity provider. Throws `unauthorized` with the fault, and `unavailable` when the keys
 * cannot be read.
 */
export type ProveMerchant = (token: string) => Promise<string>

type MerchantTokensOptions = { issuer: string; audience: string; keys: JWTVerifyGetKey; now: () => Date }

/** Public-key signatures only: with any other, a public value could sign a token. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const LEEWAY_SECONDS = 60
const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/
/** Access and ID tokens; logout and event tokens carry the same issuer and audience. */
const TYPES: readonly (string | undefined)[] = [undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']
const SUBJECT = /^[^\p{C}]{1,200}$/u

/** Creates the check of merchants' tokens (RFC 8725): issuer, audience, expiry. `jku`, `jwk` and `x5u` are never followed. */
export function createMerchantTokens({ issuer, audience, keys, now }: MerchantTokensOptions): ProveMerchant {
  return async (token) => {
    if (!FORM.test(token)) throw unauthorized(`the bearer token is not a JWT; ${HOW}`)
    const rules = { algorithms: ALGORITHMS, issuer, audience, requiredClaims: ['exp', 'sub'], clockTolerance: LEEWAY_SECONDS }
    const { payload, protectedHeader } = await jwtVerify(token, keys, { ...rules, currentDate: now() }).catch(
      (error: unknown) => {
        throw isServiceError(error) ? error : unauthorized(`the token ${faultOf(error)}; ${HOW}`)
      },
    )
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw unauthorized(`the token is of another kind (its typ); ${HOW}`)
    if (typeof payload.sub !== 'string' || !SUBJECT.test(payload.sub)) {
      throw unauthorized(`the token's sub must be a text of 1 to 200 printable characters; ${HOW}`)
    }
    return payload.sub
  }
}

const HOW = 'sign in with the identity provider and send its token as "Authorization: Bearer <JWT>"'

const FAULTS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'has expired',
  [errors.JOSEAlgNotAllowed.code]: `must be signed with one of ${ALGORITHMS.join(', ')}`,
  [errors.JWKSNoMatchingKey.code]: 'is not signed with a key of the identity provider',
  [errors.JWKSMultipleMatchingKeys.code]: 'does not say with which key of the identity provider it is signed (kid)',
  [errors.JWSSignatureVerificationFailed.code]: 'has a wrong signature',
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'is of another issuer (iss)',
  aud: 'has another audience (aud)',
  exp: 'has no valid expiry (exp)',
  sub: 'has no subject (sub)',
  nbf: 'is not valid yet (nbf)',
}

/** jose's fault in our words, because its messages quote the token. */
function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === errors.JWTClaimValidationFailed.code && error instanceof Error && 'claim' in error) {
    return CLAIMS[String(error.claim)] ?? 'breaks a rule'
  }
  return FAULTS[code] ?? 'cannot be read as a signed JWT'
}
