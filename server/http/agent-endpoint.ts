import type { App } from '../services/app'

/** The facilitator URL that a key opens, with the routes below it that matter most. Whoever sees it can spend its credits. */
export function endpointsOf({ config }: Pick<App, 'config'>, secret: string) {
  const endpoint = `${config.baseUrl}/v1/${secret}`
  return { endpoint, endpoints: { settle: `${endpoint}/settle`, verify: `${endpoint}/verify` } }
}
