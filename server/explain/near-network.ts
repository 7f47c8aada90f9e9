import { networkIds, networkRow } from '../x402/networks/networks'

const WRITTEN_MAX = 80
const TYPOS_MAX = 2

/** A sentence that names the network which a misspelled name comes near; null where none is near. */
export function nearNetwork(written: unknown): string | null {
  if (typeof written !== 'string' || written.length > WRITTEN_MAX) return null
  const plain = plainOf(written)
  const [nearest] = networkIds
    .flatMap((id) =>
      [id, networkRow(id).name, networkRow(id).title].map((name) => ({ id, typos: typosIn(plain, plainOf(name)) })),
    )
    .toSorted((one, other) => one.typos - other.typos)
  if (!nearest || nearest.typos > Math.min(TYPOS_MAX, Math.floor(plain.length / 4))) return null
  const { name } = networkRow(nearest.id)
  return `Did you mean "${name}"? Version 2 writes it "${nearest.id}", version 1 "${name}".`
}

const plainOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9:]/g, '')

/** The letters to add, remove or change between two texts. */
function typosIn(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (let at = 0; at < other.length; at++) {
      const change = (row[at] ?? 0) + (letter === other[at] ? 0 : 1)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
