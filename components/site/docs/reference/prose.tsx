import { errorCatalog, reasonUrl } from '@/server/http/documented-codes'

const codes: ReadonlySet<string> = new Set(errorCatalog.map(({ code }) => code))

/** Text with `code` in backticks; reason codes link to their entry. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`').map((part, at) => ({ part, key: `${at}`, isCode: at % 2 === 1 }))
  return parts.map(({ part, key, isCode }) => (isCode ? <Code key={key} text={part} /> : part))
}

function Code({ text }: { text: string }) {
  const code = <code>{text}</code>
  return codes.has(text) ? (
    <a className="underline-offset-[0.36em]" href={reasonUrl(text)}>
      {code}
    </a>
  ) : (
    code
  )
}
