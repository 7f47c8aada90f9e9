import type { z } from 'zod'
import type { RefusalReason } from '../../base/errors'
import { refusalCodes } from '../documented-codes'
import type { Endpoint, RefusedStatus, ResponseSpec, ResponseSpecs, Status } from '../endpoint'
import { type RefusalMeaning, refusals } from '../refusals'
import { components, refusal, settleRefusal, verifyRefusal } from '../schemas'
import { type HeaderName, QUOTA_HEADERS } from './headers'
import { formsOf, type JsonSchema, type Schemas, schemaAt } from './json-schema'

export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, { $ref: string }> }>

/** The response of one status. */
export type OpenApiResponse = { description: string; headers: Record<string, { $ref: string }>; content?: Content }

/** The shared responses by name, and a lookup of an endpoint's own. */
export type Responses = {
  named: Record<string, OpenApiResponse>
  of: (endpoint: Endpoint) => Record<string, OpenApiResponse | { $ref: string }>
}

/** The responses of these endpoints; identical refusals are shared. */
export function responsesOf(endpoints: readonly Endpoint[], schemas: Schemas): Responses {
  const named: Responses['named'] = {}
  for (const [status, spec] of endpoints.flatMap((endpoint) => Object.entries(specsOf(endpoint)))) {
    const name = nameOf(status, spec)
    if (name !== null) named[name] ??= responseOf(spec, schemas)
  }
  const refer = (status: string, spec: ResponseSpec) => {
    const name = nameOf(status, spec)
    const own = responseOf(spec, schemas)
    const isShared = name !== null && JSON.stringify(named[name]) === JSON.stringify(own)
    return isShared ? { $ref: `#/components/responses/${name}` } : own
  }
  return {
    named,
    of: (endpoint) => {
      return Object.fromEntries(Object.entries(specsOf(endpoint)).map(([status, spec]) => [status, refer(status, spec)]))
    },
  }
}

/** Every response of an endpoint: its declared ones and its refusals. */
export function specsOf({ surface, responses, errors }: Endpoint): ResponseSpecs {
  const refusing = errors === null ? {} : surface === 'plain' ? refused(...errors) : refusedPayment(surface, ...errors)
  const all = { ...refusing, ...responses }
  // The server refuses invalid headers and paths of any operation.
  return Object.keys(all).some((status) => status.startsWith('4')) ? all : { 400: { ...PLAIN[400], schema: refusal }, ...all }
}

/** A JSON body with one example per form. */
export function contentOf(schema: z.ZodType, schemas: Schemas): Content {
  const at = schemaAt(schema)
  const examples = formsOf(at, schemas).map((name) => [name, { $ref: `#/components/examples/${name}` }] as const)
  return { 'application/json': { schema: at, examples: Object.fromEntries(examples) } }
}

// Only refusals are shared.
function nameOf(status: string, { schema }: ResponseSpec): string | null {
  const id = schema && components.get(schema)?.id
  return status >= '400' && id !== undefined ? `${id}${status}` : null
}

function responseOf({ description, schema, mediaType, headers = [] }: ResponseSpec, schemas: Schemas): OpenApiResponse {
  const refs = ['x-request-id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  return {
    description,
    headers: Object.fromEntries(refs),
    ...(schema ? { content: contentOf(schema, schemas) } : mediaType === undefined ? {} : { content: { [mediaType]: {} } }),
  }
}

/** The meaning of each refused status on routes without reason codes. */
const PLAIN: Record<RefusedStatus, ResponseSpec> = {
  400: { description: 'A parameter or field is invalid; `error` names it and says what is expected.' },
  401: { description: 'The credential is missing or invalid; `error` says why.' },
  402: { description: 'A payment is required.' },
  403: { description: 'The plan or the settings do not allow this.' },
  404: { description: 'It does not exist, or it is not yours.' },
  409: { description: 'Its current state does not allow this.' },
  413: { description: 'The body is larger than 4 KB.' },
  429: { description: 'Too many requests per second.', headers: ['retry-after'] },
  500: { description: 'An internal error; report the request id.' },
  502: { description: 'No RPC endpoint answered.', headers: ['retry-after'] },
  503: { description: 'Not configured here, or temporarily unavailable.', headers: ['retry-after'] },
}

/** Refusals with the plain error body, plus 500. */
function refused(...statuses: RefusedStatus[]): ResponseSpecs {
  return Object.fromEntries([...statuses, 500 as const].map((status) => [status, { ...PLAIN[status], schema: refusal }]))
}

const LATER: readonly HeaderName[] = ['retry-after', ...QUOTA_HEADERS]
const OUTCOME: readonly HeaderName[] = [...LATER, 'x-settlement-id']

/** The headers of refused payments: quota, retry time and settlement id. */
const PAYMENT_HEADERS: Record<PaymentSurface, Partial<Record<Status, readonly HeaderName[]>>> = {
  verify: { 403: QUOTA_HEADERS, 429: LATER, 500: QUOTA_HEADERS, 502: LATER, 503: LATER },
  settle: { 401: QUOTA_HEADERS, 403: QUOTA_HEADERS, 409: OUTCOME, 429: OUTCOME, 500: QUOTA_HEADERS, 502: OUTCOME, 503: OUTCOME },
}

const BODIES = { verify: verifyRefusal, settle: settleRefusal } as const

type PaymentSurface = keyof typeof BODIES

/** Refusals of a payment, each with its possible reasons. */
function refusedPayment(surface: PaymentSurface, ...statuses: RefusedStatus[]): ResponseSpecs {
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = PAYMENT_HEADERS[surface][status]
      return [status, { description: reasonsOf(surface, status), schema: BODIES[surface], ...(headers ? { headers } : {}) }]
    }),
  )
}

function reasonsOf(surface: PaymentSurface, status: RefusedStatus): string {
  const meaning = (code: RefusalReason): RefusalMeaning => refusals[code]
  const codes = refusalCodes[surface].filter((code) => meaning(code).status.includes(status))
  return codes.map((code) => `\`${code}\``).join(', ')
}
