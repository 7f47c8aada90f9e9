import { defaultFilter } from 'cmdk'

// One letter from the middle of a word scores 0.17, and two of them are noise.
const LEAST = 0.1
const KEYWORD_WEIGHT = 0.5

/** How well a title and its hidden keywords match a query, from 0 (hidden) to 1. Ignores case, accents and outer spaces. */
export function score(query: string, [title = '', keywords = '']: readonly string[] = []): number {
  const sought = plain(query)
  if (sought === '') return 1
  const [shown, hidden] = [title, keywords].map((text) => defaultFilter(plain(text), sought))
  const best = Math.max(shown ?? 0, (hidden ?? 0) * KEYWORD_WEIGHT)
  return best < LEAST ? 0 : best
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
