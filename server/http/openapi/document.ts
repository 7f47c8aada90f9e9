import type { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import type { Endpoint, Operation } from '../endpoint'
import { tags } from '../endpoint'
import { type CredentialName, credentials, type Scope } from './credential-texts'
import { securitySchemes } from './credentials'
import { headers } from './headers'
import { exampleOf, formsOf, type JsonSchema, namedSchemas, type Schemas, schemaAt } from './json-schema'
import { type Content, contentOf, type OpenApiResponse, responsesOf, specsOf } from './responses'

/** The parts of an OpenAPI 3.1 document that we use. */
export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; summary: string; description: string; license: { name: string } }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  /** What we send to merchants, by the name of the event. */
  webhooks: Record<string, { post: OpenApiWebhook }>
  components: {
    securitySchemes: typeof securitySchemes
    schemas: Schemas
    headers: Record<string, OpenApiHeader>
    responses: Record<string, OpenApiResponse>
    /** One example per body form, by the name of its schema. */
    examples: Record<string, { value: unknown }>
  }
}

export type OpenApiOperation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; description: string; schema: JsonSchema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, OpenApiResponse | { $ref: string }>
}

type OpenApiWebhook = {
  summary: string
  parameters: OpenApiOperation['parameters']
  requestBody: { required: true; content: { 'application/json': { schema: JsonSchema; example: unknown } } }
  responses: Record<string, { description: string }>
}

/** A message that merchants get: its event with the meaning, and an example as it is sent. */
type WebhookMessage = { event: string; meaning: string; headers: Record<string, string>; body: string }

type OpenApiHeader = { description: string; schema: JsonSchema }

/** The version of the service, as in `package.json`. */
export const VERSION: string = manifest.version

const ABOUT = `Amounts are strings of atomic units (USDC has 6 decimals); networks are CAIP-2 ids; times are ISO 8601 in UTC.
Bodies are JSON: at most 16 KB on verify, settle and explain, 4 KB elsewhere. Every error is \`{"error": "…"}\`; on verify and settle with
the other fields that official x402 clients read. Any path may return 400 (invalid headers or path), 404 (unknown path), 405 (unknown
method, with \`Allow\`), 408 (too slow) and 413. Admin and settings bodies must not have unknown fields; unknown query parameters are
ignored. /docs explains every reason and its remedy.`

/** All endpoints, their OpenAPI document, and its JSON text. */
export type PublishedApi = { endpoints: readonly Endpoint[]; document: OpenApiDocument; json: string }

/** The published API of these endpoints; the first call creates the document. */
export function publishedApi(
  baseUrl: string,
  endpoints: readonly Endpoint[],
  messages: readonly WebhookMessage[] = [],
): () => PublishedApi {
  let made: PublishedApi | undefined
  return () => {
    if (made) return made
    const document = openApiDocument(baseUrl, endpoints, messages)
    made = { endpoints, document, json: JSON.stringify(document) }
    return made
  }
}

/** An endpoint in the OpenAPI document. */
export type ListedEndpoint = Endpoint & { operation: Operation }

/** The endpoints in the OpenAPI document. */
export function listed(endpoints: readonly Endpoint[]): ListedEndpoint[] {
  return endpoints.flatMap((endpoint) => (endpoint.operation ? [{ ...endpoint, operation: endpoint.operation }] : []))
}

/** The OpenAPI document of these endpoints and messages at a base URL. */
export function openApiDocument(
  baseUrl: string,
  endpoints: readonly Endpoint[],
  messages: readonly WebhookMessage[] = [],
): OpenApiDocument {
  const operations = listed(endpoints)
  const schemas = namedSchemas()
  const responses = responsesOf(operations, schemas)
  const forms = operations.flatMap(schemasOf).flatMap((schema) => formsOf(schemaAt(schema), schemas))
  const describe = (one: ListedEndpoint) => described(one, schemas, responses.of(one))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quittance',
      version: VERSION,
      summary: 'A hosted x402 payment facilitator: verifies signed stablecoin payments, settles them on-chain and pays the gas.',
      description: ABOUT.replaceAll('\n', ' '),
      license: { name: manifest.license === 'UNLICENSED' ? 'Proprietary' : manifest.license },
    },
    servers: [{ url: baseUrl, description: 'This facilitator.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations, describe),
    webhooks: Object.fromEntries(messages.map((message) => [message.event, { post: webhookOf(message) }])),
    components: {
      securitySchemes,
      schemas,
      headers: Object.fromEntries(Object.entries(headers).map(headerEntry)),
      responses: responses.named,
      examples: Object.fromEntries(forms.map((name) => [name, { value: exampleOf(schemas[name] ?? {}, schemas) }])),
    },
  }
}

/** The path of an endpoint in OpenAPI syntax: `/v1/{key}/settle`. */
export function pathOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** The schemas of an endpoint's request and response bodies. */
function schemasOf(endpoint: Endpoint): z.ZodType[] {
  const sent = Object.values(specsOf(endpoint)).flatMap(({ schema }) => schema ?? [])
  return [...(endpoint.body ? [endpoint.body] : []), ...sent]
}

function pathsOf(endpoints: ListedEndpoint[], describe: (one: ListedEndpoint) => OpenApiOperation): OpenApiDocument['paths'] {
  const methodsAt = (path: string) =>
    endpoints.filter((one) => pathOf(one) === path).map((one) => [one.method.toLowerCase(), describe(one)])
  return Object.fromEntries(endpoints.map((one) => [pathOf(one), Object.fromEntries(methodsAt(pathOf(one)))]))
}

function webhookOf({ event, meaning, headers: sent, body }: WebhookMessage): OpenApiWebhook {
  const example: unknown = JSON.parse(body)
  const names = Object.keys(sent)
  return {
    summary: meaning,
    parameters: names.map((name) => ({
      name,
      in: 'header',
      required: true,
      description: 'Of Standard Webhooks, to verify the message.',
      schema: { type: 'string', examples: [sent[name]] },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { const: event },
              timestamp: { type: 'string', format: 'date-time' },
              data: { type: 'object' },
            },
          },
          example,
        },
      },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      '410': { description: 'The receiver is gone: we disable the webhook.' },
      default: { description: 'Not delivered: we try again for 24 hours.' },
    },
  }
}

function described(
  { operation, credentials: names, scopes, params, query, headers, body }: ListedEndpoint,
  schemas: Schemas,
  responses: OpenApiOperation['responses'],
): OpenApiOperation {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: names.flatMap((name) => securityOf(name, scopes)),
    parameters: [...parametersOf('path', params), ...parametersOf('query', query), ...parametersOf('header', headers)],
    ...(body ? { requestBody: { required: !body.safeParse({}).success, content: contentOf(body, schemas) } } : {}),
    responses,
  }
}

// Only a merchant's JWT can have scopes.
function securityOf(name: CredentialName, scopes: readonly Scope[]): Record<string, string[]>[] {
  const { schemes } = credentials[name]
  const needed = name === 'merchant' ? [...scopes] : []
  return schemes.length === 0 ? [] : [Object.fromEntries(schemes.map((scheme) => [scheme, needed]))]
}

function parametersOf(place: 'path' | 'query' | 'header', fields: z.ZodObject | null): OpenApiOperation['parameters'] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description = '', ...schema } = schemaAt(field)
    return { name, in: place, required: !field.safeParse(undefined).success, description, schema }
  })
}

function headerEntry([name, { about, schema }]: [string, (typeof headers)[keyof typeof headers]]): [string, OpenApiHeader] {
  return [name, { description: about, schema: schemaAt(schema) }]
}
