import { z } from 'zod'
import type { App } from '../app'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { idInPath } from '../http/schemas'
import { adminCredentials, requireAdmin } from '../sign-in/credentials'
import { lanesOf, releaseLane } from './lanes'
import { wireLane } from './present'
import { healthAnswer, lane, laneList, readiness, release } from './schemas'

/** Documentation has the cache time of the catalog. */
export const DOCUMENT_HEADERS = { ...API_HEADERS, 'cache-control': 'public, max-age=300' } as const

const service = { tag: 'Service', cors: 'open' } as const

/** A temporary redirect to the operator's site. */
export const goToOperator = endpoint({
  ...service,
  id: 'goToOperator',
  summary: "The operator's site",
  description: 'A redirect; not part of the API.',
  responses: { 307: { description: 'The redirect.', headers: ['location'] } },
  async handler({ app }) {
    return new Response(null, { status: 307, headers: { ...API_HEADERS, location: app.config.operatorUrl } })
  },
})

/** Liveness; with `ready=1` readiness: 503 and the missing parts if this process cannot send payments now. */
export const getHealth = endpoint({
  ...service,
  id: 'getHealth',
  summary: 'Check health and readiness',
  description: '200 if the process runs. With `ready=1`, for load balancers: whether this process can send payments now.',
  query: z.object({
    ready: z
      .preprocess((written) => (written === '1' ? written : undefined), z.literal(['1']).optional())
      .meta({ description: '`1`: check whether this process can send payments now.' }),
  }),
  responses: {
    200: { description: 'Healthy, or ready.', schema: healthAnswer },
    503: {
      description: 'With `ready=1`: this process cannot send payments now.',
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
  id: 'getOpenApi',
  summary: 'Get the OpenAPI document',
  description: 'An OpenAPI 3.1 document.',
  responses: { 200: { description: 'The document.', mediaType: 'application/json', headers: ['cache-control'] } },
  errors: [],
  async handler({ app }) {
    return new Response(app.api().json, { headers: { ...DOCUMENT_HEADERS, 'content-type': 'application/json' } })
  },
})

/** Metrics for Prometheus. Only for the administrator unless METRICS_PUBLIC is set. */
export const getMetrics = endpoint({
  id: 'getMetrics',
  tag: 'Admin',
  summary: 'Metrics for Prometheus',
  description: 'Counters of this process, and ledger figures at most a few seconds old. Public with `METRICS_PUBLIC=1`.',
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

/** Every lane of the ledger, with the chain's transaction counts of its signer. */
export const listLanes = endpoint({
  id: 'listLanes',
  tag: 'Admin',
  summary: 'List signers with their nonces',
  description: 'EVM signers as in the ledger, with the transaction counts of their chains.',
  credentials: adminCredentials,
  responses: { 200: { description: 'All signers.', schema: laneList } },
  errors: [401, 503],
  handler: async ({ app }) => ({ lanes: (await lanesOf(app)).map(wireLane) }),
})

/** Releases a quarantined lane at `next_nonce`, after an operator checked all transactions below it. */
export const releaseQuarantined = endpoint({
  id: 'releaseLane',
  tag: 'Admin',
  summary: 'Release a quarantined signer',
  description:
    'Confirms that you checked every transaction of the signer below `next_nonce`. 409 if the lane is not quarantined, or the chain has another nonce by now.',
  credentials: adminCredentials,
  params: idInPath('lane'),
  body: release,
  responses: { 200: { description: 'The lane after the release.', schema: lane } },
  errors: [400, 401, 404, 409, 413, 503],
  handler: async ({ app, params, body }) => wireLane(await releaseLane(app, params.id, body.next_nonce)),
})
