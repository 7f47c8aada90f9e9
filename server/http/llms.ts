import type { App } from '../services/app'
import { DOCUMENT_HEADERS } from './openapi'

/** `GET /llms.txt`: the API for an agent with a wallet and no key. */
export async function llmsText({ config }: Pick<App, 'config'>): Promise<Response> {
  return new Response(config.baseUrl, { headers: { ...DOCUMENT_HEADERS, 'content-type': 'text/plain; charset=utf-8' } })
}
