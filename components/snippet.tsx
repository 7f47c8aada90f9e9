import { CopyButton } from './copy-button'

/** A named code block with a copy button. */
export function Snippet({ code, name }: { code: string; name: string }) {
  return (
    <figure className="snippet">
      <figcaption>
        {name}
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
