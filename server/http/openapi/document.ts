import type { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { type CredentialName, credentials, securitySchemes } from './credentials'
import { headers } from './headers'
import { exampleOf, formsOf, type JsonSchema, namedSchemas, type Schemas, schemaAt } from './json-schema'
import { type Operation, tags } from './operation'
import { operations } from './operations'
import type { Parameter } from './parameters'
import { type Content, contentOf, type OpenApiResponse, responsesOf } from './responses'

/** An OpenAPI 3.1 document, as far as ours goes. */
export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    securitySchemes: typeof securitySchemes
    schemas: Schemas
    headers: Record<string, OpenApiHeader>
    responses: Record<string, OpenApiResponse>
    /** Of each form of a body, by the name of its schema. */
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

type OpenApiHeader = { description: string; schema: JsonSchema }

/** The version of the service, as in `package.json`. */
export const VERSION: string = manifest.version

const ABOUT = `Amounts are strings of atomic units (USDC has 6 decimals); networks are CAIP-2 ids; times are ISO 8601 in UTC.
Bodies are JSON: at most 16 KB on verify and settle, 4 KB elsewhere. Every error is \`{"error": "…"}\`; on verify and settle with
the fields that official x402 clients read besides. Any address may answer 400 (unreadable headers or path), 404 (no such address),
405 (no such method, with \`Allow\`), 408 (too slow) and 413. Unknown fields of admin and settings bodies are refused, unknown
parameters ignored. Every reason is explained, with its remedy, on /docs.`

/** The OpenAPI document of the service at a base URL. */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  const schemas = namedSchemas()
  const responses = responsesOf(operations, schemas)
  const forms = operations.flatMap(schemasOf).flatMap((schema) => formsOf(schemaAt(schema), schemas))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quittance',
      version: VERSION,
      summary:
        'A hosted x402 payment facilitator: verifies signed stablecoin payments and settles them on chain, paying the gas.',
      description: ABOUT.replaceAll('\n', ' '),
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf((one) => described(one, schemas, responses.of(one))),
    components: {
      securitySchemes,
      schemas,
      headers: Object.fromEntries(Object.entries(headers).map(headerEntry)),
      responses: responses.named,
      examples: Object.fromEntries(forms.map((name) => [name, { value: exampleOf(schemas[name] ?? {}, schemas) }])),
    },
  }
}

/** The address of an operation as OpenAPI writes it: `/v1/{key}/settle`. */
export function pathOf({ pattern }: Pick<Operation, 'pattern'>): string {
  return pattern.replace(/:(\w+)/g, '{$1}')
}

/** The schemas of an operation's bodies, asked and answered. */
function schemasOf({ body, answers }: Operation): z.ZodType[] {
  const answered = Object.values(answers).flatMap(({ schema }) => (schema && !('mediaType' in schema) ? schema : []))
  return [...(body ? [body.schema] : []), ...answered]
}

function pathsOf(describe: (operation: Operation) => OpenApiOperation): OpenApiDocument['paths'] {
  const methodsAt = (path: string) =>
    operations.filter((one) => pathOf(one) === path).map((one) => [one.method.toLowerCase(), describe(one)])
  return Object.fromEntries(operations.map((one) => [pathOf(one), Object.fromEntries(methodsAt(pathOf(one)))]))
}

function described(operation: Operation, schemas: Schemas, responses: OpenApiOperation['responses']): OpenApiOperation {
  const { id, tag, title, about, parameters, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    description: about,
    security: operation.credentials.flatMap(securityOf),
    parameters: parameters.map(parameterOf),
    ...(body ? { requestBody: { required: body.required, content: contentOf(body.schema, schemas) } } : {}),
    responses,
  }
}

function securityOf(name: CredentialName): Record<string, string[]>[] {
  const { schemes } = credentials[name]
  return schemes.length === 0 ? [] : [Object.fromEntries(schemes.map((scheme) => [scheme, []]))]
}

function parameterOf({ name, in: place, required, about, schema }: Parameter): OpenApiOperation['parameters'][number] {
  return { name, in: place, required, description: about, schema: schemaAt(schema) }
}

function headerEntry([name, { about, schema }]: [string, (typeof headers)[keyof typeof headers]]): [string, OpenApiHeader] {
  return [name, { description: about, schema: schemaAt(schema) }]
}
