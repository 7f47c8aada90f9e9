import { CopyButton } from './copy-button'

/** A file of code, with its name and a button that copies it. */
export function Snippet({ code, name }: { code: string; name: string }) {
  return (
    <figure className="snippet">
      <figcaption>
        {name}
        <CopyButton text={code} />
      </figcaption>
      <pre>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
