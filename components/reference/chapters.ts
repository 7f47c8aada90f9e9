import { type OpenApiDocument, type OpenApiOperation, pathOf } from '@/server/http/openapi/document'
import { type Operation, type TagName, tags } from '@/server/http/openapi/operation'
import { operations } from '@/server/http/openapi/operations'

/** Operations that differ in their prefix only, told once: by the one that has most to tell. */
export type Entry = {
  id: string
  title: string
  address: string
  method: string
  operation: Operation
  told: OpenApiOperation
  /** All addresses, as they are requested. */
  paths: string[]
}

/** A chapter of the reference. */
export type Chapter = { tag: TagName; anchor: string; about: string; entries: Entry[] }

/** The operations of the document in chapters, in the order of its tags. */
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
  for (const one of own) groups.set(addressOf(one), [...(groups.get(addressOf(one)) ?? []), one])
  return [...groups.values()].flatMap((alike) => {
    const operation = alike.toSorted((one, other) => answersOf(other) - answersOf(one))[0]
    const told = operation && paths[pathOf(operation)]?.[operation.method.toLowerCase()]
    if (!operation || !told) return []
    const { method, shownAs, title } = operation
    const address = shownAs?.address ?? pathOf(operation)
    return [{ id: operation.id, title: shownAs?.title ?? title, address, method, operation, told, paths: alike.map(pathOf) }]
  })
}

const addressOf = (one: Operation) => `${one.method} ${one.shownAs?.address ?? one.pattern}`
const answersOf = ({ answers }: Operation) => Object.keys(answers).length

function isTag(name: string): name is TagName {
  return Object.hasOwn(tags, name)
}
