/** A text in which the typed words stand out. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  const words = sought.trim() === '' ? [] : sought.trim().split(/[\s_]+/)
  if (words.length === 0) return text
  const anyWord = new RegExp(`(${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`)).join('|')})`, 'i')
  let at = 0
  return text.split(anyWord).map((part) => {
    const key = at
    at += part.length
    return anyWord.test(part) ? (
      <span key={key} className="font-semibold">
        {part}
      </span>
    ) : (
      part
    )
  })
}
