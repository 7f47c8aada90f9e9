import type { App } from '../../app'
import { API_HEADERS } from '../errors'
import { type OpenApiDocument, openApiDocument } from './document'

/** Documentation may be kept for as long as the catalog. */
export const DOCUMENT_HEADERS = { ...API_HEADERS, 'cache-control': 'public, max-age=300' } as const

type Made = { document: OpenApiDocument; text: string }

// Made once for each App: it depends on nothing but the base URL.
const made = new WeakMap<App['config'], Made>()

/** The document of this service, and as it is sent. */
export function documentOf({ config }: Pick<App, 'config'>): Made {
  const known = made.get(config)
  if (known) return known
  const document = openApiDocument(config.baseUrl)
  const fresh = { document, text: JSON.stringify(document) }
  made.set(config, fresh)
  return fresh
}

/** `GET /openapi.json`: the whole API for programs. */
export async function openApi(app: Pick<App, 'config'>): Promise<Response> {
  return new Response(documentOf(app).text, { headers: { ...DOCUMENT_HEADERS, 'content-type': 'application/json' } })
}
