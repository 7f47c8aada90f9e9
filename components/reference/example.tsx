import type { OpenApiDocument } from '@/server/http/openapi/document'

type Props = { title: string; names: readonly string[]; parts: Pick<OpenApiDocument['components'], 'examples'> }

/** Bodies as they are sent, folded away until somebody wants to see them. */
export function Example({ title, names, parts }: Props) {
  return names.map((name) => (
    <details className="example" key={name}>
      <summary>
        {title}
        {names.length > 1 ? <span className="muted">: {name}</span> : null}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(parts.examples[name]?.value, null, 2)}</code>
      </pre>
    </details>
  ))
}
