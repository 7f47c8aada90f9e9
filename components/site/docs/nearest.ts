/** A page that a reader may have meant. */
export type NamedPage = { path: string; title: string; description: string }

/** The pages whose path is like this one, best first: from two of five pairs of letters on, as less is chance. */
export function nearestPages(pages: readonly NamedPage[], path: string, most: number): NamedPage[] {
  const asked = pairsOf(path)
  return pages
    .map((page) => ({ page, score: alike(asked, pairsOf(page.path)) }))
    .filter(({ score }) => score >= ALIKE_MIN)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ page }) => page)
}

const ALIKE_MIN = 0.4

// Pairs of letters find typing errors and other orders of words alike.
function pairsOf(path: string): ReadonlySet<string> {
  const words = path
    .toLowerCase()
    .replace(/^\/docs/, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  return new Set(words.flatMap((word) => Array.from({ length: word.length }, (_, at) => ` ${word}`.slice(at, at + 2))))
}

function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length
  return (2 * both) / (one.size + other.size || 1)
}
