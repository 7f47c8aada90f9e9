import type { Endpoint } from '@/server/http/endpoint'
import { type ListedEndpoint, listed, type OpenApiOperation, type PublishedApi, pathOf } from '@/server/http/openapi/document'
import { type TagName, tags } from '@/server/http/openapi/tags'

/** Endpoints that differ in their prefix only, shown once: by the one with most responses. */
export type Entry = {
  id: string
  title: string
  address: string
  method: string
  credentials: Endpoint['credentials']
  told: OpenApiOperation
  /** All addresses, as they are requested. */
  paths: string[]
}

/** A chapter of the reference. */
export type Chapter = { tag: TagName; anchor: string; about: string; entries: Entry[] }

/** The endpoints of the API in chapters, in the order of the document's tags. */
export function chaptersOf(api: Pick<PublishedApi, 'endpoints' | 'document'>): Chapter[] {
  const names = Object.keys(tags).filter(isTag)
  return names.map((tag) => ({
    tag,
    anchor: `tag-${tag.toLowerCase()}`,
    about: tags[tag],
    entries: entriesOf(tag, api),
  }))
}

function entriesOf(tag: TagName, { endpoints, document }: Pick<PublishedApi, 'endpoints' | 'document'>): Entry[] {
  const own = listed(endpoints).filter(({ operation }) => operation.tag === tag)
  const addresses = [...new Set(own.map(addressOf))]
  return addresses.flatMap((shared) => {
    const alike = own.filter((one) => addressOf(one) === shared)
    const shown = alike.map((endpoint) => ({ endpoint, told: toldOf(endpoint, document) }))
    const most = shown.toSorted((one, other) => responsesOf(other.told) - responsesOf(one.told))[0]
    if (!most?.told) return []
    const { endpoint, told } = most
    const { id, group, summary } = endpoint.operation
    const { method, credentials } = endpoint
    const address = group?.address ?? pathOf(endpoint)
    return [{ id, title: group?.summary ?? summary, address, method, credentials, told, paths: alike.map(pathOf) }]
  })
}

const addressOf = ({ method, path, operation }: ListedEndpoint) => `${method} ${operation.group?.address ?? path}`

const toldOf = (endpoint: ListedEndpoint, { paths }: PublishedApi['document']) =>
  paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]

const responsesOf = (told: OpenApiOperation | undefined) => Object.keys(told?.responses ?? {}).length

function isTag(name: string): name is TagName {
  return Object.hasOwn(tags, name)
}
