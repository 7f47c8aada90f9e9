import { Fragment } from 'react'

// Each word is looked for in every result.
const WORDS_MAX = 8

/** The first words of a search: they stand out in its results. A single letter does only if nothing else was typed. */
export function wordsOf(sought: string): string[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 1 ? words : [...new Set(words)].filter(({ length }) => length > 1).slice(0, WORDS_MAX)
}

/** A text in which each word that was typed stands out, wherever it is. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  return <MarkedWords text={text} words={wordsOf(sought)} />
}

function MarkedWords({ text, words: [word, ...others] }: { text: string; words: readonly string[] }) {
  const lower = text.toLowerCase()
  // Some letters get longer in lower case, and then no place of them fits the text.
  if (word === undefined || lower.length !== text.length) return text
  const between = lower.split(word)
  let end = 0
  return between.map(({ length }, at) => {
    const start = end + length
    const [before, found] = [text.slice(end, start), text.slice(start, start + word.length)]
    end = start + word.length
    return (
      <Fragment key={start}>
        <MarkedWords text={before} words={others} />
        {at < between.length - 1 ? <span className="font-semibold">{found}</span> : null}
      </Fragment>
    )
  })
}
