import type { z } from 'zod'
import type { App } from '../app'
import { malformed } from '../x402/json'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT, readJson } from './bodies'
import { API_HEADERS, refuse, type Surface } from './errors'
import { JsonResponse, jsonResponse } from './json-response'
import type { CredentialName, Scope } from './openapi/credential-texts'
import type { HeaderName } from './openapi/headers'
import { checked, queryOf, requestId } from './request'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The parameters of an address, by name. */
export type Params = Record<string, string>

/** Authenticates a request. Any one of the credentials in `names` is enough; empty for public endpoints. */
export type Credentials<Who> = {
  names: readonly CredentialName[]
  /** What a merchant's JWT must allow, if it names scopes of ours. */
  scopes?: readonly Scope[]
  prove: (app: App, request: Request, params: Params) => Who | Promise<Who>
}

/** EndpointRate limits a request: by IP address before authentication, or by the authenticated caller. Throws `too_many`. */
export type EndpointRate<Who> =
  | { per: 'address'; take: (app: App, request: Request) => Promise<void> }
  | { per: 'caller'; take: (app: App, who: Who) => Promise<void> }

export type Status = 200 | 201 | 202 | 304 | 307 | 412 | RefusedStatus
export type RefusedStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** The response of one status. It has a JSON body of `schema`, or a body of `mediaType`, or none. */
export type ResponseSpec<Schema extends z.ZodType = z.ZodType> = {
  description: string
  schema?: Schema
  mediaType?: string
  headers?: readonly HeaderName[]
}

export type ResponseSpecs = Partial<Record<Status, ResponseSpec>>

/** The sections of the reference. */
export const tags = {
  Payments: 'Verify a payment, settle it, look it up.',
  Channels: "The payment channels that a merchant's server keeps here.",
  Discovery: 'Resources for sale that declared themselves and were paid for through this facilitator.',
  Keys: 'Merchants, and wallets that get paid, make, limit, rotate and revoke their keys.',
  Webhooks: 'Where we send the outcomes of your payments, and what became of each message.',
  Agents: 'An agent with a wallet buys credits, reads its balance and manages its keys.',
  'Sign-in': 'A wallet signs a message and gets a session.',
  History: 'Settlements, for merchants, payers, agents and the operator.',
  Analytics: 'Figures of completed days.',
  Settings: 'Whether your keys keep a history.',
  Admin: 'The operator manages tenants and their keys.',
  Service: 'The service itself and its documentation.',
} as const satisfies Record<string, string>

export type TagName = keyof typeof tags

/** An endpoint in `/openapi.json` and in the reference. */
export type Operation = {
  /** Its name in generated clients, unique. */
  id: string
  tag: TagName
  summary: string
  description: string
  /** The heading under which the reference groups it with the same endpoint of other prefixes. */
  group?: { address: string; summary: string }
}

type Inputs<P, Q, B> = { params?: P; query?: Q; body?: B }

/** Inputs that the handler reads itself; documented, but not validated here. */
type SelfRead = { query?: z.ZodObject; body?: z.ZodType; headers?: z.ZodObject }

type Policy = {
  /** The body format of its errors, as its path demands (`surfaceOf`). Default: `plain`. */
  surface?: Surface
  /** `open`: scripts of any website may call it, without cookies. Default: closed. */
  cors?: 'open'
  /** In bytes. Default: 16 KB on verify and settle, 4 KB on other routes. */
  bodyLimit?: number
  /** The query parameters that may be repeated: their values are a list. */
  repeatable?: readonly string[]
}

/** Why an endpoint is not in the reference: its path lacks the API key, or it serves our own pages. */
type Unlisted = 'no key' | 'own pages'

/** What an endpoint declares; its address comes from a file. */
export type Declared = {
  surface: Surface
  cors: 'open' | 'closed'
  bodyLimit: number
  credentials: readonly CredentialName[]
  scopes: readonly Scope[]
  params: z.ZodObject | null
  query: z.ZodObject | null
  headers: z.ZodObject | null
  body: z.ZodType | null
  responses: ResponseSpecs
  errors: readonly RefusedStatus[] | null
  /** Null if it is not in the reference; `unlisted` says why. */
  operation: Operation | null
  unlisted: Unlisted | null
}

/** An endpoint before it has an address: a file `route.ts` gives it one. */
export type Unaddressed = Declared & {
  /** Handles a request; a thrown error becomes an error response. */
  handle: (app: App, request: Request, params?: Params) => Promise<Response>
}

/** A route handler as Next calls it. */
export type RouteHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response> | Response

/** One method of one path: the server routes it, `/openapi.json` and the reference describe it. */
export type Endpoint = Declared & {
  method: Method
  /** `/v1/:key/settle`; a last segment `*` stands for one or more segments. */
  path: string
  /** What `route.ts` exports. `next`: only Next can load that file. */
  handler: RouteHandler | 'next'
}

type DeclaredEndpoint<Who> = Unaddressed & {
  /** As `handle`, for an authenticated caller. */
  handleAs: (app: App, request: Request, who: Who, params?: Params) => Promise<Response>
}

type Call<Who, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  app: App
  request: Request
  who: Who
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
}

type Declaration<Who, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodType> = Policy &
  Inputs<P, Q, B> &
  (Operation | { unlisted: Unlisted }) & {
    credentials?: Credentials<Who>
    rate?: NoInfer<EndpointRate<Who>>
    reads?: SelfRead
    /** The refusal of a malformed id, thrown after all other checks. Default: a 400 before query and body are read. */
    unknownId?: () => Error
    responses?: Omit<ResponseSpecs, 200 | 201> & { 200?: ResponseSpec<R>; 201?: ResponseSpec<R> }
    /** Refusals with the default description; 500 is always included. */
    errors?: readonly RefusedStatus[]
    /** Returns the JSON body of the first declared response, or a Response. */
    handler: (call: Call<Who, P, Q, B>) => Promise<z.input<R> | Response>
  }

/** Declares an endpoint. A request is rate limited, authenticated and validated before the handler runs. */
export function endpoint<
  Who,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
>(declared: Declaration<Who, P, Q, B, R>): DeclaredEndpoint<Who> {
  const { surface = 'plain', credentials, rate, reads = {}, responses = {} } = declared
  const bodyLimit = declared.bodyLimit ?? (surface === 'plain' ? DEFAULT_BODY_LIMIT : PAYMENT_BODY_LIMIT)
  const [status] = Object.keys(responses).map(Number)
  const bodyIsOptional = declared.body?.safeParse({}).success

  async function answer(app: App, request: Request, who: Who, given: Params): Promise<Response> {
    const params = declared.params?.safeParse(given)
    if (params?.error && !declared.unknownId) throw malformed(params.error.issues[0]?.message ?? 'the path is not valid')
    const query = declared.query && checked(declared.query, queryOf(request, declared.repeatable))
    const body = declared.body && checked(declared.body, await readJson(request, bodyLimit, bodyIsOptional ? {} : undefined))
    if (params?.error && declared.unknownId) throw declared.unknownId()
    // The cast holds: a value is undefined exactly if its schema is, and then its type is `unknown`.
    const input = { params: params?.data, query, body } as Pick<Call<Who, P, Q, B>, 'params' | 'query' | 'body'>
    const answered = await declared.handler({ app, request, who, ...input })
    return JsonResponse.isResponse(answered) ? answered : jsonResponse(answered, { status: status ?? 200, headers: API_HEADERS })
  }

  async function proved(app: App, request: Request, params: Params): Promise<Who> {
    if (rate?.per === 'address') await rate.take(app, request)
    // Without credentials a caller is anonymous.
    const who = (await credentials?.prove(app, request, params)) as Who
    if (rate?.per === 'caller') await rate.take(app, who)
    return who
  }

  const refusing = (app: App, request: Request) => (error: unknown) => refuse(surface, error, app.log, requestId(request))

  return {
    surface,
    cors: declared.cors ?? 'closed',
    bodyLimit,
    credentials: credentials?.names ?? [],
    scopes: credentials?.scopes ?? [],
    params: declared.params ?? null,
    query: declared.query ?? reads.query ?? null,
    headers: reads.headers ?? null,
    body: declared.body ?? reads.body ?? null,
    responses,
    errors: declared.errors ?? null,
    operation: 'unlisted' in declared ? null : declared,
    unlisted: 'unlisted' in declared ? declared.unlisted : null,
    handle: (app, request, params = {}) =>
      proved(app, request, params)
        .then((who) => answer(app, request, who, params))
        .catch(refusing(app, request)),
    handleAs: (app, request, who, params = {}) => answer(app, request, who, params).catch(refusing(app, request)),
  }
}
