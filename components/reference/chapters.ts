import { type OpenApiDocument, type OpenApiOperation, pathOf } from '@/server/http/openapi/document'
import { type Operation, type TagName, tags } from '@/server/http/openapi/operation'
import { operations } from '@/server/http/openapi/operations'

/** Operations that differ only in their prefix, shown once by the one with most responses. */
export type Entry = {
  id: string
  title: string
  path: string
  method: string
  operation: Operation
  spec: OpenApiOperation
  /** All paths. */
  paths: string[]
}

/** A chapter of the reference. */
export type Chapter = { tag: TagName; anchor: string; about: string; entries: Entry[] }

/** The operations by chapter, in the order of the tags. */
export function chaptersOf(document: OpenApiDocument): Chapter[] {
  const names = Object.keys(tags).filter(isTag)
  return names.map((tag) => ({
    tag,
    anchor: `tag-${tag.toLowerCase()}`,
    about: tags[tag],
    entries: entriesOf(tag, document),
  }))
}

function entriesOf(tag: TagName, { paths }: OpenApiDocument): Entry[] {
  const own = operations.filter((one) => one.tag === tag)
  const groups = new Map<string, Operation[]>()
  for (const one of own) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one])
  return [...groups.values()].flatMap((alike) => {
    const operation = alike.toSorted((one, other) => responsesOf(other) - responsesOf(one))[0]
    const spec = operation && paths[pathOf(operation)]?.[operation.method.toLowerCase()]
    if (!operation || !spec) return []
    const { method, shownAs, title } = operation
    const path = shownAs?.address ?? pathOf(operation)
    return [{ id: operation.id, title: shownAs?.title ?? title, path, method, operation, spec, paths: alike.map(pathOf) }]
  })
}

const groupOf = (one: Operation) => `${one.method} ${one.shownAs?.address ?? one.pattern}`
const responsesOf = ({ answers }: Operation) => Object.keys(answers).length

function isTag(name: string): name is TagName {
  return Object.hasOwn(tags, name)
}
