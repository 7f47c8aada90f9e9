import { CopyButton } from './copy-button'

/** A file of code, with its name and a button that copies it. */
export function Snippet({ code, name }: { code: string; name: string }) {
  return (
    <figure className="snippet">
      <figcaption>
        {name}
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
