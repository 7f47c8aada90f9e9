import { ServiceError } from '../errors'
import type { App } from '../services/app'
import { bearerOf } from './bearer'

/**
 * The subject (`sub`) of the merchant whose JWT a request carries as bearer. Throws `unauthorized`, and `unavailable` where no identity
 * provider is configured or its keys cannot be read.
 */
export async function requireMerchant({ proveMerchant }: App, request: Request): Promise<string> {
  if (!proveMerchant) {
    throw new ServiceError('unavailable', 'merchants cannot sign in: no identity provider is configured here; set OIDC_ISSUER')
  }
  const token = bearerOf(request)
  if (token === null)
    throw new ServiceError('unauthorized', 'send the JWT of the identity provider as "Authorization: Bearer <JWT>"')
  return proveMerchant(token)
}
