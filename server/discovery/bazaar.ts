import { displayAddress } from '../x402/addresses'
import { plainJson, plainText } from '../x402/json'
import { listedUrl, routeTemplateIn, type UrlRule } from '../x402/listing-url'
import type { Declared } from '../x402/payment'
import { misfitOf } from './declared-schema'

/** What a payment declares about its resource, parsed. */
export type Declaration = {
  scheme: string
  network: string
  asset: string
  payTo: string
  /** The price; by `upto` the maximum. */
  amount: bigint
  resource: string
  declared: Declared
}

/** A resource as the catalog stores it: untrusted text made plain and bounded, never executed. */
export type Listing = {
  /** Its key: of a tool of an MCP server with `#` and the name of the tool. */
  url: string
  type: ListingType
  host: string
  x402Version: 1 | 2
  description: string | null
  mimeType: string | null
  serviceName: string | null
  tags: string[]
  iconUrl: string | null
  /** `{info, schema, routeTemplate?}` as declared in version 2; empty in version 1. */
  bazaar: object
  /** The payment requirements object of this payment. */
  requirements: object
}

/** A resource of HTTP, or a tool of an MCP server. */
export const listingTypes = ['http', 'mcp'] as const
export type ListingType = (typeof listingTypes)[number]

/** Whether private hosts may be listed. */
export type ListingRules = { privateHosts: boolean }

const DESCRIPTION_MAX = 500
const MIME_TYPE_MAX = 128
const NAME_MAX = 32
const TAGS_MAX = 5
const JSON_MAX = { depth: 8, bytes: 8 * 1_024 }
const TIMEOUT_SECONDS = 60
const METHODS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', undefined])

/** The rule that a rejected declaration breaks. */
export type DeclarationRule = UrlRule | 'declaration_invalid' | 'declaration_too_large' | 'schema_external' | 'schema_mismatch'

type Discovered = {
  x402Version: 1 | 2
  bazaar: object
  outputSchema: object | null
  template: string | null
  tool: string | null
}

/** Why a declaration cannot be listed; `path` is its field at fault. */
export type Rejected = { rejected: string; rule: DeclarationRule; path?: string }

const BAZAAR = 'extensions.bazaar'

/**
 * The listing that a payment declares: `extensions.bazaar` of version 2 or `outputSchema` of version 1. Null without one; a reason when
 * it cannot be listed.
 */
export function listingOf(declaration: Declaration, rules: ListingRules): Listing | Rejected | null {
  const { declared, resource } = declaration
  // The merchant's own declaration goes before the payer's copy.
  const found = declared.outputSchema === undefined ? inBazaar(declared.extensions?.bazaar) : inSchema(declared.outputSchema)
  if (!found || 'rejected' in found) return found
  const listed = listedUrl(resource, found.template, rules)
  if ('rejected' in listed) return listed
  const info = found.x402Version === 2 ? (declared.resourceInfo ?? {}) : {}
  const { url, host } = listed
  const shown = {
    url,
    host,
    x402Version: found.x402Version,
    description: textIn(declared.description || info.description, DESCRIPTION_MAX),
    mimeType: textIn(declared.mimeType || info.mimeType, MIME_TYPE_MAX),
  }
  const requirements = requirementsOf(declaration, shown, found)
  if ('rejected' in requirements) return requirements
  const key = found.tool === null ? url : `${url}#${encodeURIComponent(found.tool)}`
  const type: ListingType = found.tool === null ? 'http' : 'mcp'
  const service = { serviceName: nameIn(info.serviceName), tags: tagsIn(info.tags), iconUrl: iconIn(info.iconUrl, rules) }
  return { ...shown, ...service, url: key, type, bazaar: found.bazaar, requirements }
}

function inBazaar(declared: unknown): Discovered | Rejected | null {
  if (declared === undefined) return null
  const { info, schema, routeTemplate } = recordOr(declared, {})
  if (!isRecord(info) || !isRecord(info.input)) return invalid(`${BAZAAR}.info.input`, 'must be an object')
  const { type = 'http', method, toolName } = info.input
  if (!listingTypes.some((one) => one === type)) return unknownType(`${BAZAAR}.info.input.type`)
  const isTool = type === 'mcp'
  if (!isTool && !METHODS.has(method)) return invalid(`${BAZAAR}.info.input.method`, 'is no HTTP method')
  if (isTool && !isToolName(toolName)) return invalid(`${BAZAAR}.info.input.toolName`, 'must name a tool')
  if (schema !== undefined && !isRecord(schema)) return invalid(`${BAZAAR}.schema`, 'must be an object')
  const plainInfo = bounded(info, `${BAZAAR}.info`)
  const plainSchema = bounded(schema ?? {}, `${BAZAAR}.schema`)
  if ('rejected' in plainInfo) return plainInfo
  if ('rejected' in plainSchema) return plainSchema
  if (refersElsewhere(plainSchema.json)) return external(`${BAZAAR}.schema`)
  const misfit = misfitOf(plainInfo.json, plainSchema.json, `${BAZAAR}.info`)
  if (misfit) return { rejected: misfit.text, rule: 'schema_mismatch', path: misfit.path }
  const template = isTool ? null : routeTemplateIn(routeTemplate)
  const bazaar = { info: plainInfo.json, schema: plainSchema.json, ...(template === null ? {} : { routeTemplate: template }) }
  return { x402Version: 2, bazaar, outputSchema: null, template, tool: isTool && isToolName(toolName) ? toolName : null }
}

function inSchema(declared: NonNullable<Declared['outputSchema']>): Discovered | Rejected | null {
  const input = recordOr(declared.input, {})
  if (input.discoverable === false) return null
  if ((input.type ?? 'http') !== 'http') return unknownType('outputSchema.input.type')
  const outputSchema = bounded(declared, 'outputSchema')
  if ('rejected' in outputSchema) return outputSchema
  if (refersElsewhere(outputSchema.json)) return external('outputSchema')
  return { x402Version: 1, bazaar: {}, outputSchema: recordOr(outputSchema.json, {}), template: null, tool: null }
}

type Shown = Pick<Listing, 'url' | 'description' | 'mimeType'>

// The amount under both names, because each client version reads its own.
function requirementsOf(declaration: Declaration, { url, description, mimeType }: Shown, found: Discovered): object | Rejected {
  const { scheme, network, asset, payTo, amount, declared } = declaration
  const extra = bounded(declared.extra ?? {}, 'extra')
  if ('rejected' in extra) return extra
  return {
    scheme,
    network,
    ...(found.x402Version === 2 ? { amount: amount.toString() } : {}),
    maxAmountRequired: amount.toString(),
    resource: url,
    description: description ?? '',
    mimeType: mimeType ?? '',
    payTo: displayAddress(payTo),
    maxTimeoutSeconds: declared.maxTimeoutSeconds || TIMEOUT_SECONDS,
    asset: displayAddress(asset),
    extra: extra.json,
    ...(found.outputSchema ? { outputSchema: found.outputSchema } : {}),
  }
}

function bounded(value: unknown, what: string): { json: unknown } | Rejected {
  const plain = plainJson(value, JSON_MAX)
  if (!('fault' in plain)) return plain
  const bound = plain.fault === 'too deep' ? `${JSON_MAX.depth} levels` : `${JSON_MAX.bytes / 1_024} KB`
  return { rejected: `${what} is ${plain.fault}: at most ${bound}`, rule: 'declaration_too_large', path: what }
}

function invalid(path: string, fault: string): Rejected {
  return { rejected: `${path} ${fault}`, rule: 'declaration_invalid', path }
}

function unknownType(path: string): Rejected {
  return { rejected: `${path} is of no type that is listed here`, rule: 'declaration_invalid', path }
}

function external(path: string): Rejected {
  return { rejected: `${path} must not refer to other documents`, rule: 'schema_external', path }
}

/** Whether a schema refers to other documents, which its compiler would load. Checked after the text is made plain. */
function refersElsewhere(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(
    ([key, value]) => (/^\$(ref|id|dynamicRef|recursiveRef)$/.test(key) && !isLocal(value)) || refersElsewhere(value),
  )
}

const isLocal = (reference: unknown) => typeof reference === 'string' && reference.startsWith('#')

function textIn(value: unknown, most: number): string | null {
  return typeof value === 'string' ? plainText(value, most) || null : null
}

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${NAME_MAX}}$`)
const isName = (value: unknown): value is string => typeof value === 'string' && PRINTABLE.test(value)

const TOOL_NAME = /^[\w./-]{1,128}$/
const isToolName = (value: unknown): value is string => typeof value === 'string' && TOOL_NAME.test(value)

const nameIn = (value: unknown): string | null => (isName(value) ? value : null)

function tagsIn(value: unknown): string[] {
  const tags = Array.isArray(value) ? value.filter(isName) : []
  return [...new Map(tags.map((tag) => [tag.toLowerCase(), tag] as const)).values()].slice(0, TAGS_MAX)
}

function iconIn(value: unknown, rules: ListingRules): string | null {
  if (typeof value !== 'string') return null
  const listed = listedUrl(value, null, rules)
  return 'rejected' in listed ? null : listed.url
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function recordOr(value: unknown, otherwise: Record<string, unknown>): Record<string, unknown> {
  return isRecord(value) ? value : otherwise
}
