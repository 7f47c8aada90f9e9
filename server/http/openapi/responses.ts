import type { z } from 'zod'
import type { RefusalReason } from '../../errors'
import { refusalCodes } from '../error-catalog'
import { type RefusalMeaning, refusals } from '../refusals'
import { components, refusal, settleRefusal, verifyRefusal } from '../schemas'
import { type HeaderName, QUOTA_HEADERS } from './headers'
import { formsOf, type JsonSchema, type Schemas, schemaAt } from './json-schema'
import type { Answer, Answers, Operation, Status } from './operation'

export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, { $ref: string }> }>

/** What an answer of one status looks like. */
export type OpenApiResponse = { description: string; headers: Record<string, { $ref: string }>; content?: Content }

/** The answers that many operations have in common, by name, and how an operation says each of its own. */
export type Responses = {
  named: Record<string, OpenApiResponse>
  of: (operation: Operation) => Record<string, OpenApiResponse | { $ref: string }>
}

/** The answers of these operations: refusals that are the same everywhere are written once. */
export function responsesOf(operations: readonly Operation[], schemas: Schemas): Responses {
  const named: Responses['named'] = {}
  for (const [status, answer] of operations.flatMap(({ answers }) => Object.entries(answers))) {
    const name = nameOf(status, answer)
    if (name !== null) named[name] ??= responseOf(answer, schemas)
  }
  const say = (status: string, answer: Answer) => {
    const name = nameOf(status, answer)
    const own = responseOf(answer, schemas)
    const isShared = name !== null && JSON.stringify(named[name]) === JSON.stringify(own)
    return isShared ? { $ref: `#/components/responses/${name}` } : own
  }
  return {
    named,
    of: ({ answers }) => Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, say(status, answer)])),
  }
}

/** A body of JSON, with an example of each of its forms. */
export function contentOf(schema: z.ZodType, schemas: Schemas): Content {
  const at = schemaAt(schema)
  const examples = formsOf(at, schemas).map((name) => [name, { $ref: `#/components/examples/${name}` }] as const)
  return { 'application/json': { schema: at, examples: Object.fromEntries(examples) } }
}

// Refusals only: what succeeds is each operation's own.
function nameOf(status: string, { schema }: Answer): string | null {
  const id = schema && !('mediaType' in schema) ? components.get(schema)?.id : undefined
  return status >= '400' && id !== undefined ? `${id}${status}` : null
}

function responseOf({ about, schema, headers = [] }: Answer, schemas: Schemas): OpenApiResponse {
  const refs = ['x-request-id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  return {
    description: about,
    headers: Object.fromEntries(refs),
    ...(schema === undefined ? {} : { content: 'mediaType' in schema ? { [schema.mediaType]: {} } : contentOf(schema, schemas) }),
  }
}

type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** What each status of a refusal means where no word is told. */
const PLAIN: Record<RefusedStatus, Answer> = {
  400: { about: 'A parameter or a field cannot be read; `error` names it and says what was expected.' },
  401: { about: 'The credential is missing or not good; `error` says which rule it breaks.' },
  403: { about: 'Not with this plan or these settings.' },
  404: { about: 'There is no such thing, or it is not yours.' },
  409: { about: 'Not in the state that it is in.' },
  413: { about: 'The body is larger than 4 KB.' },
  429: { about: 'More requests per second than allowed.', headers: ['retry-after'] },
  500: { about: 'A fault of ours; quote the request id.' },
  502: { about: 'Nobody behind us answered.', headers: ['retry-after'] },
  503: { about: 'Not configured here, or not for the moment.', headers: ['retry-after'] },
}

/** Refusals with the plain error body; a 500 may always be one of them. */
export function refused(...statuses: RefusedStatus[]): Answers {
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
export function refusedPayment(surface: PaymentSurface, ...statuses: RefusedStatus[]): Answers {
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = PAYMENT_HEADERS[surface][status]
      return [status, { about: reasonsOf(surface, status), schema: BODIES[surface], ...(headers ? { headers } : {}) }]
    }),
  )
}

function reasonsOf(surface: PaymentSurface, status: RefusedStatus): string {
  const meaning = (word: RefusalReason): RefusalMeaning => refusals[word]
  const words = refusalCodes[surface].filter((word) => meaning(word).status.includes(status))
  return words.map((word) => `\`${word}\``).join(', ')
}
