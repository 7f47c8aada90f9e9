import { changeTenant, createTenant, getTenant, listTenants, rotateKey } from '../../../server/accounts/endpoints'
import type { App } from '../../../server/app'
import { listLanes, releaseQuarantined } from '../../../server/operations/endpoints'
import { documented } from './documented'
import { ADMIN_KEY } from './harness'
import type { Answer } from './surface'

/** The admin API over HTTP requests. A body that is a string is sent unchanged. */
export type Admin = {
  create: (body: unknown) => Promise<Answer>
  list: (query?: string) => Promise<Answer>
  read: (id: string) => Promise<Answer>
  change: (id: string, body: unknown) => Promise<Answer>
  rotate: (id: string, body?: unknown) => Promise<Answer>
  lanes: () => Promise<Answer>
  release: (id: string, body: unknown) => Promise<Answer>
}

/** A client that sends this `Authorization` header; null sends none. */
export function newAdmin(app: App, authorization: string | null = `Bearer ${ADMIN_KEY}`): Admin {
  const headers = { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) }
  const asked = (query: string, method: string, body?: unknown) =>
    new Request(`http://quittance.test/admin/tenants${query}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const documentedAnswer = async (what: string, handled: Promise<Response>): Promise<Answer> => {
    const response = await handled
    return documented(what, { status: response.status, headers: response.headers, body: await response.json() })
  }
  return {
    create: (body) => documentedAnswer('POST /admin/tenants', createTenant.handle(app, asked('', 'POST', body))),
    list: (query = '') => documentedAnswer('GET /admin/tenants', listTenants.handle(app, asked(query, 'GET'))),
    read: (id) => documentedAnswer('GET /admin/tenants/:id', getTenant.handle(app, asked('', 'GET'), { id })),
    change: (id, body) =>
      documentedAnswer('PATCH /admin/tenants/:id', changeTenant.handle(app, asked('', 'PATCH', body), { id })),
    rotate: (id, body) =>
      documentedAnswer('POST /admin/tenants/:id/rotate', rotateKey.handle(app, asked('', 'POST', body), { id })),
    lanes: () => documentedAnswer('GET /admin/lanes', listLanes.handle(app, asked('', 'GET'))),
    release: (id, body) =>
      documentedAnswer('POST /admin/lanes/:id/release', releaseQuarantined.handle(app, asked('', 'POST', body), { id })),
  }
}
