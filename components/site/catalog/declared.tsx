import type { CatalogItem } from '@/server/discovery/schemas'
import { Snippet } from '../../ui/code/snippet'
import { type DeclaredField, declaredFields } from './declared-fields'

/** The input and output that the merchant declared, as fields; the JSON is folded. */
export function Declared({ item }: { item: CatalogItem }) {
  const { inputs, outputs } = declaredFields(item)
  const info = written(item.extensions?.bazaar.info ?? item.accepts[0]?.outputSchema)
  const schema = written(item.extensions?.bazaar.schema)
  return (
    <>
      <Fields title="Input" none="No input is declared." fields={inputs} />
      <Fields title="Output" none="No output is declared." fields={outputs} />
      {info === null && schema === null ? null : (
        <details className="raw">
          <summary className="unfolds">Raw JSON of the declaration</summary>
          {info === null ? null : <Snippet code={info} name="Input and output" />}
          {schema === null ? null : <Snippet code={schema} name="JSON Schema" />}
        </details>
      )}
    </>
  )
}

function Fields({ title, none, fields }: { title: string; none: string; fields: readonly DeclaredField[] }) {
  // An empty column says nothing.
  const hasAbout = fields.some(({ about }) => about)
  const hasExample = fields.some(({ example }) => example)
  return (
    <section className="part">
      <h2>{title}</h2>
      {fields.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <table className="declared" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              {hasAbout ? <th scope="col">Description</th> : null}
              {hasExample ? <th scope="col">Example</th> : null}
            </tr>
          </thead>
          <tbody>
            {fields.map(({ part, name, type, isRequired, about, example }) => (
              <tr key={`${part} ${name}`}>
                <th scope="row">
                  <code>{name}</code>
                  <span className="muted">{[part, isRequired ? 'required' : ''].filter(Boolean).join(', ')}</span>
                </th>
                <td data-name="Type">{type || '–'}</td>
                {hasAbout ? <td data-name="Description">{about || '–'}</td> : null}
                {hasExample ? <td data-name="Example">{example ? <code>{example}</code> : '–'}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const written = (json: object | undefined) => (json && Object.keys(json).length > 0 ? JSON.stringify(json, null, 2) : null)
