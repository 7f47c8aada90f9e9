import type { App } from '../../../server/app'
import { installApp } from '../../../server/app'
import { endpoints } from '../../../server/endpoints'
import type { Method } from '../../../server/http/endpoint'
import { routesOf, routeTable } from '../../../server/http/route-table'
import { documentedAt } from '../../support/service/documented'
import { newIp } from '../../support/service/history'
import type { Answer } from '../../support/service/surface'

/** One request without special headers; `path` includes the query. */
export type AnonymousRequest = { method: Method; path: string; headers?: Record<string, string>; body?: string }

const find = routeTable(routesOf(endpoints))
const ownPages = new Set(endpoints.filter(({ unlisted }) => unlisted === 'own pages').map(({ path }) => path))

/** Every API method and route, without Next's pages. */
export const routes: { method: Method; pattern: string }[] = endpoints
  .filter(({ handler }) => handler !== 'next')
  .map(({ method, path }) => ({ method, pattern: path }))

/**
 * Sends any request to the whole service, without the HTTP server. Throws for a 5xx, an answer that `/openapi.json` does not know, and an
 * invalid JSON body.
 */
export function anonymousClient(app: App): (request: AnonymousRequest) => Promise<Answer> {
  installApp(app)
  return async ({ method, path, headers = {}, body }) => {
    const [address = ''] = path.split('?')
    const found = find(address.split('/').filter(Boolean))
    const handler = found?.route.methods[method]
    if (!found || !handler || handler === 'next') throw new Error(`${method} ${path} is not answered by the service itself`)
    const request = new Request(`http://quittance.test${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers, 'x-quittance-client-ip': newIp(), 'x-request-id': 'test' },
      ...(body === undefined ? {} : { body }),
    })
    const response = await handler(request, { params: Promise.resolve(found.params) })
    const answer = { status: response.status, headers: response.headers, body: await bodyOf(response) }
    if (answer.status >= 500 && !isUnconfigured(answer)) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    // The document omits the routes of our own pages.
    return ownPages.has(found.route.pattern) ? answer : documentedAt(method, address, answer)
  }
}

// A known network without a configured node is a 503, and so are credits where no network sells them.
const isUnconfigured = ({ status, body }: Answer) =>
  status === 503 && /is not configured on this facilitator|does not sell credits/.test(JSON.stringify(body))

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.startsWith('application/json')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`an answer of ${response.status} is no JSON: ${text.slice(0, 200)}`, { cause })
  }
}
