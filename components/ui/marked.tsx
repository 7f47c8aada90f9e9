/** A text in which what was typed stands out, wherever it is. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  const at = sought === '' ? -1 : text.toLowerCase().indexOf(sought.toLowerCase())
  if (at < 0) return text
  const end = at + sought.length
  return (
    <>
      {text.slice(0, at)}
      <span className="font-semibold">{text.slice(at, end)}</span>
      <Marked text={text.slice(end)} sought={sought} />
    </>
  )
}
