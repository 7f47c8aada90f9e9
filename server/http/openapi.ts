import type { App } from '../services/app'
import { openApiDocument } from './openapi/document'
import { API_HEADERS } from './refusal'

/** Documentation may be kept for as long as the catalog. */
export const DOCUMENT_HEADERS = { ...API_HEADERS, 'cache-control': 'public, max-age=300' } as const

// Made once for each App: it depends on nothing but the base URL.
const texts = new WeakMap<App['config'], string>()

/** `GET /openapi.json`: the whole API for programs. */
export async function openApi({ config }: Pick<App, 'config'>): Promise<Response> {
  const text = texts.get(config) ?? JSON.stringify(openApiDocument(config.baseUrl))
  texts.set(config, text)
  return new Response(text, { headers: { ...DOCUMENT_HEADERS, 'content-type': 'application/json' } })
}
