import { plainJson } from '../x402/json'
import { type Declaration, type ListingRules, listingOf } from './bazaar'

type Json = Record<string, unknown>

/** A declaration that can be pasted into a route: `extensions` of version 2 or `outputSchema` of version 1. */
export type Corrected = { extensions: { bazaar: Json } } | { outputSchema: Json }

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const METHODS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH'])

/**
 * The declaration as it would be listed: what can be kept of it, with a schema that `info` fits. A resource without one gets a
 * declaration by its URL. Null if no declaration would list it.
 */
export function correctedDeclaration(declaration: Declaration, rules: ListingRules): Corrected | null {
  const { outputSchema } = declaration.declared
  const tries = outputSchema === undefined ? ofBazaar(declaration) : ofSchema(outputSchema)
  return tries.find((one) => isListed(declaration, one, rules)) ?? null
}

/** Whether a payment with this declaration would be listed, if its URL can be. */
function isListed(declaration: Declaration, declared: Corrected, rules: ListingRules): boolean {
  const { outputSchema: _, extensions: __, ...rest } = declaration.declared
  const listing = listingOf({ ...declaration, declared: { ...rest, ...declared } }, rules)
  return listing !== null && (!('rejected' in listing) || listing.rule.startsWith('url_'))
}

// From the most that can be kept to the least.
function ofBazaar({ declared, resource }: Declaration): Corrected[] {
  const bazaar = recordOf(plain(declared.extensions?.bazaar))
  const info = recordOf(bazaar.info)
  const input = inputOf(info.input, resource)
  const template = typeof bazaar.routeTemplate === 'string' ? { routeTemplate: bazaar.routeTemplate } : {}
  return [{ ...info, input }, { input, output: { type: 'json' } }, { input: leastOf(input) }].map((kept) => ({
    extensions: { bazaar: { info: kept, schema: schemaFor(kept), ...template } },
  }))
}

const leastOf = ({ type, method, toolName }: Json): Json => (type === 'mcp' ? { type, toolName } : { type, method })

function ofSchema(declared: Json): Corrected[] {
  const { discoverable: _, ...input } = recordOf(recordOf(plain(declared)).input)
  const least = { type: 'http', method: METHODS.has(input.method) ? input.method : 'GET' }
  return [{ ...recordOf(plain(declared)), input: { ...input, type: 'http' } }, { input: least }].map((outputSchema) => ({
    outputSchema,
  }))
}

function inputOf(declared: unknown, resource: string): Json {
  const { type, method, ...input } = recordOf(declared)
  if (type === 'mcp') return { type, ...input }
  const usual = 'body' in input ? 'POST' : 'GET'
  const queryParams = 'queryParams' in input || 'body' in input ? {} : queryOf(resource)
  return { type: 'http', method: METHODS.has(method) ? method : usual, ...input, ...queryParams }
}

function queryOf(resource: string): { queryParams?: Record<string, string> } {
  const query = URL.canParse(resource) ? Object.fromEntries(new URL(resource).searchParams) : {}
  return Object.keys(query).length > 0 ? { queryParams: query } : {}
}

/** A JSON Schema that this declaration fits, as the official middleware writes it. */
function schemaFor({ input, output }: Json): Json {
  const { type, method, ...parts } = recordOf(input)
  const described = Object.entries(parts).flatMap(([name, value]): [string, Json][] => [[name, typeIn(value)]])
  return {
    $schema: DRAFT,
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: type },
          ...(method === undefined ? {} : { method: { type: 'string', enum: [method] } }),
          ...Object.fromEntries(described),
        },
        required: method === undefined ? ['type'] : ['type', 'method'],
      },
      ...(output === undefined ? {} : { output: typeIn(output) }),
    },
    required: ['input'],
  }
}

function typeIn(value: unknown): Json {
  if (!isRecord(value)) return Array.isArray(value) ? { type: 'array' } : { type: value === null ? 'null' : typeof value }
  const properties = Object.entries(value).map(([name, inner]): [string, Json] => [name, leafType(inner)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

// One level: a schema may have eight levels in all.
function leafType(value: unknown): Json {
  if (value === null) return { type: 'null' }
  return { type: Array.isArray(value) ? 'array' : typeof value }
}

/** Untrusted JSON with plain texts; the limits of a listing are checked later. */
function plain(value: unknown): unknown {
  const read = plainJson(value ?? {}, { depth: 16, bytes: 65_536 })
  return 'json' in read ? read.json : {}
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})
