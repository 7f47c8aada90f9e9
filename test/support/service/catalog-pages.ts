import type { App } from '../../../server/app'
import {
  listResources,
  listResourcesUnder,
  reportListings,
  searchResources,
  searchResourcesUnder,
} from '../../../server/discovery/endpoints'
import { documented } from './documented'
import { newClient } from './surface'

const handlers = {
  '/discovery/resources': listResources,
  '/discovery/search': searchResources,
  '/sandbox/discovery/resources': listResourcesUnder.sandbox,
  '/v1/discovery/resources': listResourcesUnder.v1,
  '/flash/discovery/search': searchResourcesUnder.flash,
  '/sandbox/discovery/report': reportListings.sandbox,
  '/v1/discovery/report': reportListings.v1,
} as const

/** Requests of the catalog, as the HTTP server passes them on; each from another address. */
export const askingCatalog =
  (app: App) =>
  async (
    route: keyof typeof handlers,
    query = '',
    { key = '', headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) => {
    const { ip } = newClient(app)
    const request = new Request(`http://quittance.test${route}${query}`, {
      headers: { 'x-quittance-client-ip': ip, 'x-request-id': 'test', ...headers },
    })
    const response = await handlers[route].handle(app, request, { key })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    return documented(`GET ${route.replace('/v1', '/v1/:key').replace('/flash', '/v1/:key/flash')}`, answer)
  }
