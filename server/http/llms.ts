import type { App } from '../services/app'
import { llmsText } from './guide/llms'
import { DOCUMENT_HEADERS } from './openapi'

/** `GET /llms.txt`: the API for an agent with a wallet and no key. */
export async function llms({ config }: Pick<App, 'config'>): Promise<Response> {
  return new Response(llmsText(config.baseUrl), { headers: { ...DOCUMENT_HEADERS, 'content-type': 'text/plain; charset=utf-8' } })
}
