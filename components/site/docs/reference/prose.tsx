import { errorCatalog, reasonUrl } from '@/server/http/documented-codes'

const codes: ReadonlySet<string> = new Set(errorCatalog.map(({ code }) => code))

/** Text with `code` in backticks; reason codes link to their entry. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`').map((part, at) => ({ part, key: `${at}`, isCode: at % 2 === 1 }))
  return parts.map(({ part, key, isCode }) => (isCode ? <Code key={key} text={part} /> : part))
}

/** A code in a text. A short one never breaks. */
export function InlineCode({ children }: { children: string }) {
  return <code className={children.length > SHORT_CODE ? undefined : 'whitespace-nowrap'}>{children}</code>
}

const SHORT_CODE = 24

function Code({ text }: { text: string }) {
  const code = <InlineCode>{text}</InlineCode>
  return codes.has(text) ? (
    <a className="underline-offset-[0.36em]" href={reasonUrl(text)}>
      {code}
    </a>
  ) : (
    code
  )
}
