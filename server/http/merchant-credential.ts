import { ServiceError } from '../errors'
import type { App } from '../services/app'

/** The subject (`sub`) of the merchant whose JWT a request carries as bearer. Throws `unauthorized`, and `unavailable` where no identity provider is configured. */
export async function requireMerchant(app: App, request: Request): Promise<string> {
  app.log.debug({ method: request.method }, 'no merchant can sign in yet')
  throw new ServiceError('unauthorized', 'merchants cannot sign in yet')
}
