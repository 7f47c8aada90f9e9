/** A node of a compose file: a map, a list or a text. */
export type Node = string | null | Node[] | { [name: string]: Node }

type Line = { indent: number; text: string }

/** Parses the YAML subset of our compose file, with flow lists as JSON. Throws for any other syntax. */
export function readCompose(text: string): Node {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => ({ indent: line.search(/\S/), text: line.trim() }))
  const { node, rest } = readBlock(lines)
  if (rest.length > 0) throw new Error(`not understood: ${rest[0]?.text}`)
  return node
}

function readBlock(lines: Line[]): { node: Node; rest: Line[] } {
  const [first] = lines
  if (!first) return { node: null, rest: [] }
  const end = lines.findIndex(({ indent }) => indent < first.indent)
  const [own, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)]
  return { node: first.text.startsWith('- ') ? readList(own) : readMap(own, first.indent), rest }
}

function readList(lines: Line[]): Node {
  return lines.map(({ text }) => {
    if (!text.startsWith('- ')) throw new Error(`not understood: ${text}`)
    return scalar(text.slice('- '.length))
  })
}

function readMap(lines: Line[], indent: number): Node {
  const map: { [name: string]: Node } = {}
  let rest = lines
  for (let [line] = rest; line !== undefined; [line] = rest) {
    const [, name, value = ''] = /^([\w./-]+):(?: (.*))?$/.exec(line.text) ?? []
    if (name === undefined || line.indent !== indent) throw new Error(`not understood: ${line.text}`)
    rest = rest.slice(1)
    const deeper = value === '' && (rest[0]?.indent ?? 0) > indent
    const block = deeper ? readBlock(rest) : { node: scalar(value), rest }
    map[name] = block.node
    rest = block.rest
  }
  return map
}

function scalar(text: string): Node {
  if (text === '') return null
  if (/^[&*!|>{'%@`-]/.test(text)) throw new Error(`not understood: ${text}`)
  return /^["[]/.test(text) ? JSON.parse(text) : text
}

/** The node at a path such as `services`, `redis`, `image`; null if absent. */
export function at(node: Node, ...names: string[]): Node {
  return names.reduce<Node>(
    (found, name) => (found !== null && typeof found === 'object' && !Array.isArray(found) ? (found[name] ?? null) : null),
    node,
  )
}
