/** A sentence in which `words between backticks` are code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`').map((part, at) => ({ part, key: `${at}`, isCode: at % 2 === 1 }))
  return parts.map(({ part, key, isCode }) => (isCode ? <code key={key}>{part}</code> : part))
}
