import { CopyButton } from './copy-button'

/** A piece of code with a button that copies it. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <figure className="snippet" style={{ margin: 0 }} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </figure>
  )
}
