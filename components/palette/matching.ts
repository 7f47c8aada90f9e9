/** Something that is found by its words. `also` are words that find it and are not shown. */
export type Findable = { title: string; also?: string }

/** How a text is found: the beginning of all, of a word, the beginnings of several words in their order. The least is the best. */
const WAYS: readonly ((text: string, sought: string) => boolean)[] = [
  (text, sought) => text.startsWith(sought),
  (text, sought) => wordsOf(text).some((_word, at, all) => all.slice(at).join(' ').startsWith(sought)),
  (text, sought) => wordsBeginSo(wordsOf(text), sought.replaceAll(' ', '')),
]

/** What a written text finds, the best first, otherwise in the order in which it stands. Everything for an empty one. */
export function findIn<T extends Findable>(entries: readonly T[], written: string): T[] {
  const sought = plain(written)
  if (sought === '') return [...entries]
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, sought) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ entry }) => entry)
}

function rankOf({ title, also = '' }: Findable, sought: string): number | null {
  const [shown, hidden] = [title, also].map((text) => WAYS.findIndex((found) => text !== '' && found(plain(text), sought)))
  if (shown !== undefined && shown >= 0) return shown
  return hidden !== undefined && hidden >= 0 ? WAYS.length + hidden : null
}

// Letters are taken from the words in turn, as many of each as it takes: "apk" and "apikey" find "API keys". Every way to take them at once.
function wordsBeginSo(words: readonly string[], sought: string): boolean {
  const taken = new Set([0])
  for (const word of words) {
    for (const from of [...taken]) {
      for (let length = 1; length <= word.length && word[length - 1] === sought[from + length - 1]; length++)
        taken.add(from + length)
    }
  }
  return taken.has(sought.length)
}

const wordsOf = (text: string): string[] => text.split(' ')

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
