import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../support/source-files'

/** A node of a YAML file. */
type Node = string | number | boolean | null | Node[] | { [name: string]: Node }

/** What our compose file says. */
export const compose: Node = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'))

/** The node at a path such as `services`, `redis`, `image`; null if absent. */
export function at(node: Node, ...names: string[]): Node {
  return names.reduce<Node>(
    (found, name) => (found !== null && typeof found === 'object' && !Array.isArray(found) ? (found[name] ?? null) : null),
    node,
  )
}
