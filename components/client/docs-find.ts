/** A place of the documentation that a search can find. `about` says what it is; `words` are searched but not shown. */
export type Found = { title: string; page: string; href: string; about?: string; words: string }

/** How many places a search shows, and how many of them may be error codes while it finds other places too. */
const SHOWN = 12
const CODES_SHOWN = 5

/** What kind of place it is: a guide with its sections, a part of the API reference, or an error code. */
export const kindOf = ({ href }: Found): 'Guides' | 'API reference' | 'Error codes' =>
  href.includes('#reason-') ? 'Error codes' : href.startsWith('/docs/api') ? 'API reference' : 'Guides'

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The places that contain every word of a query, best first. A word in a title counts most. */
export function find(index: readonly Found[], query: string): Found[] {
  const words = plain(query).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const found = index
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || lengthOf(one.place) - lengthOf(other.place))
    .map(({ place }) => place)
  const codes = found.filter((place) => kindOf(place) === 'Error codes')
  const hidden = new Set(codes.length < found.length ? codes.slice(CODES_SHOWN) : [])
  return found.filter((place) => !hidden.has(place)).slice(0, SHOWN)
}

/** A short error code is the usual one, a long one is of a rare scheme. */
const lengthOf = (place: Found): number => (kindOf(place) === 'Error codes' ? place.title.length : 0)

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
