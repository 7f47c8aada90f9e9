import { z } from 'zod'
import type { App } from '../app'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { idInPath } from '../http/schemas'
import { adminCredentials, requireAdmin } from '../sign-in/credentials'
import { lanesOf, releaseLane } from './lanes'
import { wireLane } from './present'
import { healthAnswer, lane, laneList, readiness, release } from './schemas'

/** Documentation may be kept for as long as the catalog. */
export const DOCUMENT_HEADERS = { ...API_HEADERS, 'cache-control': 'public, max-age=300' } as const

const service = { method: 'GET', tag: 'Service', cors: 'open' } as const

/** A temporary redirect to the operator's site. */
export const goToOperator = endpoint({
  ...service,
  path: '/',
  id: 'goToOperator',
  summary: 'The operator’s site',
  description: 'No part of the API: a redirect.',
  responses: { 307: { description: 'Go there.', headers: ['location'] } },
  async handler({ app }) {
    return new Response(null, { status: 307, headers: { ...API_HEADERS, location: app.config.operatorUrl } })
  },
})

/** The process answers. With `ready=1`: whether payments can be sent here now, 503 when they cannot, and what is missing. */
export const getHealth = endpoint({
  ...service,
  path: '/health',
  id: 'getHealth',
  summary: 'Is the process up?',
  description: 'Whether the process answers. With `ready=1`: whether payments can be sent here now, for load balancers.',
  query: z.object({
    ready: z
      .preprocess((written) => (written === '1' ? written : undefined), z.literal(['1']).optional())
      .meta({ description: '`1`: whether payments can be sent here now.' }),
  }),
  responses: {
    200: { description: 'It is.', schema: healthAnswer },
    503: {
      description: 'With `ready=1`: payments cannot be sent here now.',
      schema: readiness,
      headers: ['retry-after'],
    },
  },
  errors: [],
  handler: async ({ app, query }) => (query.ready === '1' ? readinessOf(app) : { status: 'ok' as const }),
})

async function readinessOf(app: App): Promise<Response> {
  const { ready, parts } = await app.readiness()
  const headers = ready ? API_HEADERS : { ...API_HEADERS, 'retry-after': '2' }
  return Response.json({ status: ready ? 'ready' : 'not ready', parts }, { status: ready ? 200 : 503, headers })
}

export const getOpenApi = endpoint({
  ...service,
  path: '/openapi.json',
  id: 'getOpenApi',
  summary: 'This API, for programs',
  description: 'An OpenAPI 3.1 document.',
  responses: { 200: { description: 'The document.', mediaType: 'application/json', headers: ['cache-control'] } },
  errors: [],
  async handler({ app }) {
    return new Response(app.api().json, { headers: { ...DOCUMENT_HEADERS, 'content-type': 'application/json' } })
  },
})

/** What this process counts, for Prometheus. For the administrator alone unless METRICS_PUBLIC is set. */
export const getMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  id: 'getMetrics',
  tag: 'Admin',
  summary: 'Metrics for Prometheus',
  description: 'Counts of this process, and figures of the ledger a few seconds old. Public with `METRICS_PUBLIC=1`.',
  credentials: {
    names: ['admin'],
    prove(app, request) {
      if (!app.config.metricsPublic) requireAdmin(app, request)
    },
  },
  responses: { 200: { description: 'The metrics.', mediaType: 'text/plain' } },
  errors: [401, 503],
  async handler({ app }) {
    const { text, mediaType } = await app.metrics()
    return new Response(text, { headers: { ...API_HEADERS, 'content-type': mediaType } })
  },
})

/** Every lane of the ledger, beside what its chain knows of the signer. */
export const listLanes = endpoint({
  method: 'GET',
  path: '/admin/lanes',
  id: 'listLanes',
  tag: 'Admin',
  summary: 'List signers with their nonces',
  description: 'Of EVM networks, as the ledger has them, beside what their chains know.',
  credentials: adminCredentials,
  responses: { 200: { description: 'All of them.', schema: laneList } },
  errors: [401, 503],
  handler: async ({ app }) => ({ lanes: (await lanesOf(app)).map(wireLane) }),
})

/** An operator has looked at all transactions below `next_nonce`; a quarantined lane goes on there. */
export const releaseQuarantined = endpoint({
  method: 'POST',
  path: '/admin/lanes/:id/release',
  id: 'releaseLane',
  tag: 'Admin',
  summary: 'Put a quarantined signer back into service',
  description:
    'Says that you have looked at every transaction of the signer below `next_nonce`. 409 when the lane is not quarantined, or the chain says another nonce by now.',
  credentials: adminCredentials,
  params: idInPath('lane'),
  body: release,
  responses: { 200: { description: 'The lane as it is now.', schema: lane } },
  errors: [400, 401, 404, 409, 413, 503],
  handler: async ({ app, params, body }) => wireLane(await releaseLane(app, params.id, body.next_nonce)),
})
