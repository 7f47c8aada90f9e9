import type { ReactNode } from 'react'

/** Terms with their meaning, as a list of two columns; one column on a phone. */
export function Terms({ children }: { children: ReactNode }) {
  return <dl className="terms">{children}</dl>
}

/** A term and its meaning. Without a name it shows its id, as a link to itself. */
export function Term({ id, name, children }: { id?: string; name?: ReactNode; children: ReactNode }) {
  return (
    <div id={id}>
      <dt>
        {name ?? (
          <a className="anchor" href={`#${id}`}>
            <code>{id}</code>
          </a>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
