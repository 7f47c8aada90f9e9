import { Fragment } from 'react'

/** A text in which what was typed stands out, wherever it is. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  const lower = text.toLowerCase()
  // Some letters get longer in lower case, and then no place of them fits the text.
  if (sought === '' || lower.length !== text.length) return text
  const term = sought.toLowerCase()
  const between = lower.split(term)
  let end = 0
  return between.map(({ length }, at) => {
    const start = end + length
    const [before, found] = [text.slice(end, start), text.slice(start, start + term.length)]
    end = start + term.length
    return (
      <Fragment key={start}>
        {before}
        {at < between.length - 1 ? <span className="font-semibold">{found}</span> : null}
      </Fragment>
    )
  })
}
