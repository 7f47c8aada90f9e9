/** A place of the documentation that a search can find. `about` says what it is; `words` are searched but not shown. */
export type Found = { title: string; page: string; href: string; about?: string; words: string }

/** How many places a search shows. */
const SHOWN = 12

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The places that contain every word of a query, best first. A word in a title counts most. */
export function find(index: readonly Found[], query: string): Found[] {
  const words = plain(query).split(' ').filter(Boolean)
  if (words.length === 0) return []
  return index
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, SHOWN)
    .map(({ place }) => place)
}

// Zero as soon as one word is missing.
function scoreOf({ title, page, about = '', words: hidden }: Found, words: readonly string[]): number {
  const shown = plain(title)
  const rest = ` ${plain(`${page} ${about} ${hidden}`)}`
  let score = shown === words.join(' ') ? 20 : 0
  for (const word of words) {
    if (shown.startsWith(word)) score += 8
    else if (` ${shown}`.includes(` ${word}`)) score += 6
    else if (shown.includes(word)) score += 3
    else if (rest.includes(` ${word}`)) score += 2
    else if (rest.includes(word)) score += 1
    else return 0
  }
  return score
}
