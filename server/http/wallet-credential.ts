import { ServiceError } from '../errors'
import type { App } from '../services/app'

/**
 * The wallet that a payer or agent route is asked for: by SIWE headers, or by a session token as bearer. EVM addresses in lower case,
 * Solana's as they are. Throws `unauthorized`.
 */
export async function requireWallet(app: App, request: Request): Promise<string> {
  app.log.debug({ method: request.method }, 'no wallet can sign in yet')
  throw new ServiceError('unauthorized', 'wallets cannot sign in yet')
}
