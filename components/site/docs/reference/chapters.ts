import type { Endpoint } from '@/server/http/endpoint'
import { type TagName, tags } from '@/server/http/endpoint'
import { type ListedEndpoint, listed, type OpenApiOperation, type PublishedApi, pathOf } from '@/server/http/openapi/document'

/** Endpoints that differ only in their prefix, shown once by the one with most responses. */
export type Entry = {
  id: string
  title: string
  path: string
  method: string
  credentials: Endpoint['credentials']
  spec: OpenApiOperation
  /** All paths. */
  paths: string[]
}

/** A chapter of the reference, on a page of its own. `audience` is who calls its operations. */
export type Chapter = {
  tag: TagName
  slug: string
  path: string
  about: string
  audience: 'everyone' | 'operator'
  entries: Entry[]
}

/** The tags of the routes that an audience calls, in their order. */
export function tagsFor(audience: Chapter['audience']): TagName[] {
  return Object.keys(tags)
    .filter(isTag)
    .filter((tag) => audienceOf(tag) === audience)
}

const audienceOf = (tag: TagName): Chapter['audience'] => (OPERATOR.has(tag) ? 'operator' : 'everyone')

/** The place of what the operations of a page share. */
export const COMMON_PARTS = { id: 'common-headers', title: 'Every request' } as const

/** What a 503 means on most routes; it stands once on a page. */
export const COMMON_503 = 'Not configured here, or temporarily unavailable.'

const OPERATOR: ReadonlySet<TagName> = new Set(['Admin', 'Service'])

type Api = Pick<PublishedApi, 'endpoints' | 'document'>

/** The endpoints by chapter, in the order of the tags; those of the operator come last. */
export function chaptersOf(api: Api): Chapter[] {
  return Object.keys(tags)
    .filter(isTag)
    .map((tag) => {
      const slug = tag.toLowerCase()
      return { tag, slug, path: `/docs/api/${slug}`, about: tags[tag], audience: audienceOf(tag), entries: entriesOf(tag, api) }
    })
    .toSorted((one, other) => Number(one.audience === 'operator') - Number(other.audience === 'operator'))
}

function entriesOf(tag: TagName, { endpoints, document }: Api): Entry[] {
  const own = listed(endpoints).filter(({ operation }) => operation.tag === tag)
  const groups = [...new Set(own.map(groupOf))]
  return groups.flatMap((name) => {
    const alike = own.filter((one) => groupOf(one) === name)
    const described = alike.map((endpoint) => ({ endpoint, spec: specOf(endpoint, document) }))
    const most = described.toSorted((one, other) => responsesOf(other.spec) - responsesOf(one.spec))[0]
    if (!most?.spec) return []
    const { endpoint, spec } = most
    const { id, group, summary } = endpoint.operation
    const { method, credentials } = endpoint
    const path = group?.address ?? pathOf(endpoint)
    return [{ id, title: group?.summary ?? summary, path, method, credentials, spec, paths: alike.map(pathOf) }]
  })
}

const groupOf = ({ method, path, operation }: ListedEndpoint) => `${method} ${operation.group?.address ?? path}`
const specOf = (endpoint: ListedEndpoint, { paths }: Api['document']) => paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]
const responsesOf = (spec: OpenApiOperation | undefined) => Object.keys(spec?.responses ?? {}).length

function isTag(name: string): name is TagName {
  return Object.hasOwn(tags, name)
}

/** The page of each route, by the id of the route. */
export function routePages(chapters: readonly Chapter[]): Record<string, string> {
  return Object.fromEntries(chapters.flatMap(({ path, entries }) => entries.map(({ id }) => [id, path])))
}
