import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../support/source-files'

/** A node of a YAML file. */
export type Node = string | number | boolean | null | Node[] | { [name: string]: Node }

const node: z.ZodType<Node> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(node), z.record(z.string(), node)]),
)

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** What a YAML file of the repository says. */
export const yamlOf = (file: string): Node => node.parse(parse(textOf(file)))

/** The documents of a YAML file, which `---` separates. */
export const documentsOf = (file: string): Node[] => parseAllDocuments(textOf(file)).map((one) => node.parse(one.toJS()))

/** The node at a path such as `services`, `redis`, `image`; a number is a place in a list; null if absent. */
export function at(from: Node, ...names: (string | number)[]): Node {
  return names.reduce<Node>((found, name) => {
    if (found === null || typeof found !== 'object') return null
    if (Array.isArray(found)) return typeof name === 'number' ? (found[name] ?? null) : null
    return found[name] ?? null
  }, from)
}

/** The items of a list; none for another node. */
export const itemsOf = (from: Node): Node[] => (Array.isArray(from) ? from : [])
