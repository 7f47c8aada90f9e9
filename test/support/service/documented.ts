import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020'
import { endpoints } from '../../../server/endpoints'
import { openApiDocument, pathOf } from '../../../server/http/openapi/document'
import { isHeaderName } from '../../../server/http/openapi/headers'
import { choicesIn, type JsonSchema } from '../../../server/http/openapi/json-schema'
import type { OpenApiResponse } from '../../../server/http/openapi/responses'
import { routesOf, routeTable } from '../../../server/http/route-table'

/** An answer with the headers of fetch or of a raw connection. A body that is not JSON is a string. */
export type Answered = { status: number; body?: unknown; headers?: Headers | Record<string, string> }

const document = openApiDocument('http://quittance.test', endpoints)
const { schemas, responses } = document.components

/**
 * Returns the answer if `/openapi.json` knows its status, fields and headers for this operation, such as `POST /sandbox/settle`.
 * Otherwise throws an error that names the difference.
 */
export function documented<A extends Answered>(asked: string, answer: A): A {
  const flaw = flawOf(asked, answer)
  if (flaw) throw new Error(`${asked} answered ${answer.status} ${flaw}`)
  return answer
}

/** Returns the answer of a requested path, which may hold a key, if `/openapi.json` knows it. The document omits paths that always answer 401. */
export function documentedAt<A extends Answered>(method: string, path: string, answer: A): A {
  const pattern = patternAt(path)
  if (pattern === undefined) throw new Error(`${method} ${path} is at no address of the API`)
  return keylessPaths.has(pattern) && answer.status === 401 ? answer : documented(`${method} ${pattern}`, answer)
}

/** The route pattern of a requested path: `/v1/:key/settle`. */
export function patternAt(path: string): string | undefined {
  return find(path.replace(/\?.*$/, '').split('/').filter(Boolean))?.route.pattern
}

const keylessPaths = new Set(endpoints.filter(({ unlisted }) => unlisted === 'no key').map(({ path }) => path))
const find = routeTable(routesOf(endpoints))

function flawOf(asked: string, { status, body, headers }: Answered): string | null {
  const [method = '', path = ''] = asked.split(' ')
  const operation = document.paths[pathOf({ path })]?.[method.toLowerCase()]
  if (!operation) return 'and is not in /openapi.json'
  const said = operation.responses[status]
  if (!said) return `which /openapi.json does not know there: ${JSON.stringify(body)}`
  const response = '$ref' in said ? responses[said.$ref.split('/').at(-1) ?? ''] : said
  if (!response) return 'whose $ref in /openapi.json leads nowhere'
  return headerFlaw(response, headers) ?? bodyFlaw(response, body)
}

function headerFlaw(response: OpenApiResponse, headers: Answered['headers']): string | null {
  const names = headers instanceof Headers ? [...headers.keys()] : Object.keys(headers ?? {})
  // Most answers are not cacheable; the document lists `cache-control` only where they are.
  const unknown = names.find((name) => isHeaderName(name) && name !== 'cache-control' && !Object.hasOwn(response.headers, name))
  return unknown === undefined ? null : `with a header "${unknown}" that /openapi.json does not know there`
}

function bodyFlaw({ content = {} }: OpenApiResponse, body: unknown): string | null {
  const hasBody = body !== undefined && body !== null && body !== ''
  const schema = content['application/json']?.schema
  if (!schema) return hasBody && Object.keys(content).length === 0 ? 'with a body, for which /openapi.json has none' : null
  const choices = choicesIn(schema, schemas).map(compiled)
  const errors = choices.map((validate) => (validate(body) ? [] : (validate.errors ?? [])))
  if (errors.filter(({ length }) => length === 0).length === 1) return null
  // Of several allowed shapes, report the closest one.
  const [closest = []] = errors.toSorted((one, other) => one.length - other.length)
  return closest.length === 0
    ? 'which fits two forms in /openapi.json'
    : `${closest.slice(0, 3).map(sentence).join(', ')}: ${JSON.stringify(body)}`
}

function sentence({ keyword, instancePath, params, message }: ErrorObject): string {
  const field = (name: unknown) => `"${[...instancePath.split('/').slice(1), name].join('.')}"`
  if (keyword === 'additionalProperties')
    return `with a field ${field(params.additionalProperty)} that /openapi.json does not know`
  if (keyword === 'required') return `without the field ${field(params.missingProperty)} of /openapi.json`
  return `with a field "${instancePath.slice(1).replaceAll('/', '.')}" that ${message}`
}

const ajv = new Ajv2020({ allErrors: true, validateFormats: false })
ajv.addVocabulary(['components'])
const known = new Map<string, ValidateFunction>()

function compiled(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema)
  const validate = known.get(key) ?? ajv.compile({ ...schema, components: { schemas } })
  known.set(key, validate)
  return validate
}
