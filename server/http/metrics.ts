import type { App } from '../services/app'
import { requireAdmin } from './admin-key'
import { API_HEADERS } from './refusal'

/** `GET /metrics`: what this process counts, for Prometheus. For the administrator alone unless METRICS_PUBLIC is set. */
export async function metrics(app: App, request: Request): Promise<Response> {
  if (!app.config.metricsPublic) requireAdmin(app, request)
  const { text, mediaType } = await app.metrics()
  return new Response(text, { headers: { ...API_HEADERS, 'content-type': mediaType } })
}
