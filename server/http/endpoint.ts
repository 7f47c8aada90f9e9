import type { z } from 'zod'
import type { App } from '../app'
import { malformed } from '../x402/json'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT, readJson } from './bodies'
import { API_HEADERS, refuse, surfaceOf } from './errors'
import type { CredentialName } from './openapi/credentials'
import type { HeaderName } from './openapi/headers'
import { checked, queryOf, requestId } from './request'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The parameters of an address, by name. */
export type Params = Record<string, string>

/** Proves who sends a request. `names` are the credentials that do so, any one of them; none for an open endpoint. */
export type Credentials<Who> = {
  names: readonly CredentialName[]
  prove: (app: App, request: Request, params: Params) => Who | Promise<Who>
}

/** Counts a request: by its address before the credential is read, or by the caller that the credential proved. Throws `too_many`. */
export type Rate<Who> =
  | { per: 'address'; take: (app: App, request: Request) => Promise<void> }
  | { per: 'caller'; take: (app: App, who: Who) => Promise<void> }

export type Status = 200 | 201 | 202 | 304 | 307 | RefusedStatus
export type RefusedStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503

/** The response of one status. It has a JSON body of `schema`, or a body of `mediaType`, or none. */
export type ResponseSpec<Schema extends z.ZodType = z.ZodType> = {
  description: string
  schema?: Schema
  mediaType?: string
  headers?: readonly HeaderName[]
}

export type ResponseSpecs = Partial<Record<Status, ResponseSpec>>

/** The chapters of the reference. */
export const tags = {
  Payments: 'What a merchant’s server asks about a payment: is it good, settle it, what became of it.',
  Discovery: 'What can be bought: resources that were paid for through this facilitator and declare themselves.',
  Agents: 'What an agent does with a wallet and without anybody’s leave: buy credits, see what is left, keep its keys.',
  'Sign-in': 'A wallet signs a message and gets a session.',
  History: 'What was settled, for merchants, payers, agents and the operator.',
  Analytics: 'Sums of finished days.',
  Settings: 'What owners of keys decide themselves.',
  Admin: 'What the operator does with tenants and their keys.',
  Service: 'The service itself and its documentation.',
} as const satisfies Record<string, string>

export type TagName = keyof typeof tags

/** What `/openapi.json` and the reference show of an endpoint. */
export type Operation = {
  /** Its name in generated clients, unique. */
  id: string
  tag: TagName
  summary: string
  description: string
  /** How the reference shows it together with the same endpoint under the other prefixes. */
  group?: { address: string; summary: string }
}

type Inputs<P, Q, B> = { params?: P; query?: Q; body?: B }

/** What the handler reads itself; described here, not checked. */
type SelfRead = { query?: z.ZodObject; body?: z.ZodType; headers?: z.ZodObject }

type Address = {
  method: Method
  /** `/v1/:key/settle`; a last segment `*` stands for one or more segments. */
  path: string
  /** `open`: scripts of any website may call it, without cookies. Closed if unset. */
  cors?: 'open'
}

/** Why an endpoint is in no document: it is an address without its API key, or serves our own pages. */
export type Unlisted = 'no key' | 'own pages'

/** One method of one address: the server serves it, `/openapi.json` and the reference describe it. */
export type Endpoint = {
  method: Method
  path: string
  cors: 'open' | 'closed'
  bodyLimit: number
  credentials: readonly CredentialName[]
  params: z.ZodObject | null
  query: z.ZodObject | null
  headers: z.ZodObject | null
  body: z.ZodType | null
  responses: ResponseSpecs
  errors: readonly RefusedStatus[] | null
  /** Null for one that is listed nowhere, for the reason in `unlisted`. */
  operation: Operation | null
  unlisted: Unlisted | null
  /** The response to a request; anything thrown becomes an error response. `next`: a route handler of Next serves it. */
  handle: ((app: App, request: Request, params: Params) => Promise<Response>) | 'next'
}

/** An endpoint that this process serves itself. */
export type ServedEndpoint<Who = unknown> = Omit<Endpoint, 'handle'> & {
  handle: (app: App, request: Request, params?: Params) => Promise<Response>
  /** As `handle`, for a caller that is known already. */
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

type Declaration<Who, P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodType> = Address &
  Inputs<P, Q, B> &
  (Operation | { unlisted: Unlisted }) & {
    credentials?: Credentials<Who>
    rate?: NoInfer<Rate<Who>>
    reads?: SelfRead
    /** The refusal of an id that cannot exist, after all else was checked. A 400 before the query and the body if unset. */
    unknownId?: () => Error
    responses?: Omit<ResponseSpecs, 200 | 201> & { 200?: ResponseSpec<R>; 201?: ResponseSpec<R> }
    /** Refusals with their usual description; a 500 is always one of them. */
    errors?: readonly RefusedStatus[]
    /** Returns the JSON body of the first declared response, or a whole response. */
    handler: (call: Call<Who, P, Q, B>) => Promise<z.input<R> | Response>
  }

/** Declares an endpoint. A request is counted, its caller proved, its path, query and body checked, and then handled. */
export function endpoint<
  Who,
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
>(declared: Declaration<Who, P, Q, B, R>): ServedEndpoint<Who> {
  const { method, path, credentials, rate, reads = {}, responses = {} } = declared
  const surface = surfaceOf(path.split('/'))
  const bodyLimit = surface === 'plain' ? DEFAULT_BODY_LIMIT : PAYMENT_BODY_LIMIT
  const [status] = Object.keys(responses).map(Number)
  const bodyIsOptional = declared.body?.safeParse({}).success

  async function answer(app: App, request: Request, who: Who, given: Params): Promise<Response> {
    const params = declared.params?.safeParse(given)
    if (params?.error && !declared.unknownId) throw malformed(params.error.issues[0]?.message ?? 'the path is not valid')
    const query = declared.query && checked(declared.query, queryOf(request))
    const body = declared.body && checked(declared.body, await readJson(request, bodyLimit, bodyIsOptional ? {} : undefined))
    if (params?.error && declared.unknownId) throw declared.unknownId()
    // Absent exactly where no schema was declared, and then its type is one that tells nothing.
    const input = { params: params?.data, query, body } as Pick<Call<Who, P, Q, B>, 'params' | 'query' | 'body'>
    const answered = await declared.handler({ app, request, who, ...input })
    return answered instanceof Response ? answered : Response.json(answered, { status: status ?? 200, headers: API_HEADERS })
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
    method,
    path,
    cors: declared.cors ?? 'closed',
    bodyLimit,
    credentials: credentials?.names ?? [],
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

/** An endpoint of our own pages that a route handler of Next serves. */
export function nextEndpoint(method: Method, path: string): Endpoint {
  const { handle: _, ...address } = endpoint({ method, path, unlisted: 'own pages', handler: async () => ({}) })
  return { ...address, handle: 'next' }
}
