import type { ReactNode } from 'react'

/** Terms with their meaning, as a list of two columns; one column on a phone. */
export function Terms({ rows }: { rows: readonly { term: ReactNode; id?: string; meaning: ReactNode; key?: string }[] }) {
  return (
    <dl className="terms">
      {rows.map(({ term, id, meaning, key }, at) => (
        <div key={key ?? id ?? (typeof term === 'string' ? term : `${at}`)} id={id}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
