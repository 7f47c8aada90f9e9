import type { z } from 'zod'
import type { RefusalReason } from '../../errors'
import type { Endpoint, RefusedStatus, ResponseSpec, ResponseSpecs, Status } from '../endpoint'
import { refusalCodes } from '../error-catalog'
import { surfaceOf } from '../errors'
import { type RefusalMeaning, refusals } from '../refusals'
import { components, refusal, settleRefusal, verifyRefusal } from '../schemas'
import { type HeaderName, QUOTA_HEADERS } from './headers'
import { formsOf, type JsonSchema, type Schemas, schemaAt } from './json-schema'

export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, { $ref: string }> }>

/** What an answer of one status looks like. */
export type OpenApiResponse = { description: string; headers: Record<string, { $ref: string }>; content?: Content }

/** The responses that many endpoints have in common, by name, and how an endpoint refers to each of its own. */
export type Responses = {
  named: Record<string, OpenApiResponse>
  of: (endpoint: Endpoint) => Record<string, OpenApiResponse | { $ref: string }>
}

/** The responses of these endpoints: refusals that are the same everywhere are written once. */
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

/** Every response of an endpoint: its own, and its refusals. */
export function specsOf({ path, responses, errors }: Pick<Endpoint, 'path' | 'responses' | 'errors'>): ResponseSpecs {
  if (errors === null) return responses
  const surface = surfaceOf(path.split('/'))
  return { ...(surface === 'plain' ? refused(...errors) : refusedPayment(surface, ...errors)), ...responses }
}

/** A body of JSON, with an example of each of its forms. */
export function contentOf(schema: z.ZodType, schemas: Schemas): Content {
  const at = schemaAt(schema)
  const examples = formsOf(at, schemas).map((name) => [name, { $ref: `#/components/examples/${name}` }] as const)
  return { 'application/json': { schema: at, examples: Object.fromEntries(examples) } }
}

// Refusals only: what succeeds is each endpoint's own.
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

/** What each status of a refusal means where no word is told. */
const PLAIN: Record<RefusedStatus, ResponseSpec> = {
  400: { description: 'A parameter or a field cannot be read; `error` names it and says what was expected.' },
  401: { description: 'The credential is missing or not good; `error` says which rule it breaks.' },
  402: { description: 'A payment is required.' },
  403: { description: 'Not with this plan or these settings.' },
  404: { description: 'There is no such thing, or it is not yours.' },
  409: { description: 'Not in the state that it is in.' },
  413: { description: 'The body is larger than 4 KB.' },
  429: { description: 'More requests per second than allowed.', headers: ['retry-after'] },
  500: { description: 'A fault of ours; quote the request id.' },
  502: { description: 'Nobody behind us answered.', headers: ['retry-after'] },
  503: { description: 'Not configured here, or not for the moment.', headers: ['retry-after'] },
}

/** Refusals with the plain error body; a 500 may always be one of them. */
function refused(...statuses: RefusedStatus[]): ResponseSpecs {
  return Object.fromEntries([...statuses, 500 as const].map((status) => [status, { ...PLAIN[status], schema: refusal }]))
}

const LATER: readonly HeaderName[] = ['retry-after', ...QUOTA_HEADERS]
const OUTCOME: readonly HeaderName[] = [...LATER, 'x-settlement-id']

/** What a refusal of a payment may say in headers: what was taken before it, when to come back, and of which settlement. */
const PAYMENT_HEADERS: Record<PaymentSurface, Partial<Record<Status, readonly HeaderName[]>>> = {
  verify: { 403: QUOTA_HEADERS, 429: LATER, 502: LATER, 503: LATER },
  settle: { 401: QUOTA_HEADERS, 403: QUOTA_HEADERS, 409: OUTCOME, 429: OUTCOME, 502: OUTCOME, 503: OUTCOME },
}

const BODIES = { verify: verifyRefusal, settle: settleRefusal } as const

type PaymentSurface = keyof typeof BODIES

/** Refusals of a payment, each with the reasons that it may have. */
function refusedPayment(surface: PaymentSurface, ...statuses: RefusedStatus[]): ResponseSpecs {
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = PAYMENT_HEADERS[surface][status]
      return [status, { description: reasonsOf(surface, status), schema: BODIES[surface], ...(headers ? { headers } : {}) }]
    }),
  )
}

function reasonsOf(surface: PaymentSurface, status: RefusedStatus): string {
  const meaning = (word: RefusalReason): RefusalMeaning => refusals[word]
  const words = refusalCodes[surface].filter((word) => meaning(word).status.includes(status))
  return words.map((word) => `\`${word}\``).join(', ')
}
