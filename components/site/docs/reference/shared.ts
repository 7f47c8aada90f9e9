import type { OpenApiDocument } from '@/server/http/openapi/document'
import { isHeaderName } from '@/server/http/openapi/headers'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import type { Entry } from './chapters'

type Parts = Pick<OpenApiDocument['components'], 'responses'>

/** What operations of a chapter have in common: it stands once, above them. */
export type Shared = {
  /** Null unless all operations accept the same credentials. */
  credentials: Pick<Entry, 'credentials' | 'paths'> | null
  /** The path parameter of keys. */
  key: Parameter | null
  requestHeaders: Parameter[]
  /** Each group with the operations that have it; null stands for all, which come first. */
  responseHeaders: { names: string[]; operations: Entry[] | null }[]
}

type Parameter = Entry['spec']['parameters'][number]

/** What at least two operations have in common. */
export function sharedBy(entries: readonly Entry[], parts: Parts): Shared {
  const parameters = entries.flatMap(({ spec }) => spec.parameters).filter((one, at, all) => isRepeated(one, at, all))
  const headers = [...new Set(entries.flatMap((entry) => responseHeadersOf(entry, parts)))]
  const withHeader = (name: string) => entries.filter((entry) => responseHeadersOf(entry, parts).includes(name))
  const groups = [...new Map(headers.map(withHeader).map((group) => [idsOf(group), group])).values()].filter(
    (group) => group.length > 1,
  )
  const [first] = entries
  const isAlike = entries.length > 1 && entries.every(({ credentials }) => String(credentials) === String(first?.credentials))
  return {
    credentials: isAlike && first ? first : null,
    key: parameters.find(isKey) ?? null,
    requestHeaders: parameters.filter((one) => one.in === 'header'),
    responseHeaders: groups
      .map((operations) => ({ names: headers.filter((name) => idsOf(withHeader(name)) === idsOf(operations)), operations }))
      .map(({ names, operations }) => ({ names, operations: operations.length === entries.length ? null : operations }))
      .toSorted((one, other) => Number(one.operations !== null) - Number(other.operations !== null)),
  }
}

/** The parameters and response headers that only this operation has. */
export function ownOf(entry: Entry, shared: Shared, parts: Parts): { parameters: Parameter[]; responseHeaders: string[] } {
  const above = [...shared.requestHeaders, ...(shared.key ? [shared.key] : [])].map(textOf)
  return {
    parameters: entry.spec.parameters.filter((one) => !above.includes(textOf(one))),
    responseHeaders: responseHeadersOf(entry, parts).filter(
      (name) => !shared.responseHeaders.some(({ names }) => names.includes(name)),
    ),
  }
}

/** The response of a status, also where the document refers to a shared one. */
export function responseIn(said: OpenApiResponse | { $ref: string }, { responses }: Parts): OpenApiResponse {
  if (!('$ref' in said)) return said
  const shared = responses[said.$ref.split('/').at(-1) ?? '']
  if (!shared) throw new Error(`there is no ${said.$ref}`)
  return shared
}

function responseHeadersOf({ spec }: Entry, parts: Parts): string[] {
  const names = Object.values(spec.responses).flatMap((said) => Object.keys(responseIn(said, parts).headers))
  return [...new Set(names)].filter(isHeaderName)
}

const idsOf = (entries: readonly Entry[]): string => entries.map(({ id }) => id).join()

const textOf = (parameter: Parameter): string => JSON.stringify(parameter)

const isKey = ({ name, in: location }: Parameter) => location === 'path' && name === 'key'

// The first of several parameters that are alike in everything.
function isRepeated(one: Parameter, at: number, all: readonly Parameter[]): boolean {
  const alike = all.filter((other) => textOf(other) === textOf(one))
  return alike.length > 1 && all.findIndex((other) => textOf(other) === textOf(one)) === at
}
