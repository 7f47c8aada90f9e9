import { z } from 'zod'

/** A private key that can sign JWTs. */
export const signingKey = z.looseObject({ kty: z.literal('RSA'), kid: z.string(), alg: z.literal('RS256'), d: z.string() })

/** The private key with which the provider signs, as a JWK. */
export type SigningKey = z.output<typeof signingKey>

/** What the program of the local identity provider is told. */
export const optionsSchema = z.object({
  issuer: z.url(),
  /** The service whose merchants sign in here: the audience of their tokens, and where its dashboard takes them back. */
  baseUrl: z.url(),
  clientSecret: z.string(),
  key: signingKey,
})
export type IdentityOptions = z.output<typeof optionsSchema>

/** The one client of the provider: the dashboard of the service. */
export const CLIENT_ID = 'quittance-dashboard'

/** What may stand for a person: no other check is made of who signs in. */
export const userName = z
  .string()
  .trim()
  .regex(/^[^\p{C}]{1,200}$/u)
