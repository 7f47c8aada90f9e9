import type { CatalogItem } from '@/server/discovery/schemas'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { type DeclaredField, declaredFields } from './declared-fields'
import { NOTE, PART, PART_TITLE, TABLE } from './look'

/** The input and output that the merchant declared, as fields; the JSON is folded. */
export function Declared({ item }: { item: CatalogItem }) {
  const { inputs, outputs } = declaredFields(item)
  const info = written(item.extensions?.bazaar.info ?? item.accepts[0]?.outputSchema)
  const schema = written(item.extensions?.bazaar.schema)
  return (
    <>
      <Fields title="Input" fields={inputs} />
      <Fields title="Output" fields={outputs} />
      {info === null && schema === null ? null : (
        <details>
          <summary className="unfolds flex items-center gap-[0.6rem] py-[0.4rem] text-[0.9rem] text-soft">
            Raw JSON of the declaration
          </summary>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-[0.7rem] pt-[0.7rem]">
            {info === null ? null : <Snippet code={info} name="Input and output" />}
            {schema === null ? null : <Snippet code={schema} name="JSON Schema" />}
          </div>
        </details>
      )}
    </>
  )
}

function Fields({ title, fields }: { title: string; fields: readonly DeclaredField[] }) {
  if (fields.length === 0) return <NoFields title={title} />
  // An empty column says nothing.
  const hasExample = fields.some(({ example }) => example)
  return (
    <section className={PART}>
      <h2 className={PART_TITLE}>{title}</h2>
      <table className={cx(TABLE.whole, 'table-fixed')} aria-label={title}>
        <thead>
          <tr>
            <Head>Name</Head>
            <Head>Type</Head>
            {hasExample ? <Head>Example</Head> : null}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ part, name, type, isRequired, about, example }) => (
            <tr key={`${part} ${name}`} className={cx(TABLE.row, '*:align-top *:wrap-anywhere')}>
              <th scope="row">
                <code>{name}</code>
                {about ? <span className="block font-normal">{about}</span> : null}
              </th>
              <td className="text-soft">{[type, part, isRequired ? 'required' : ''].filter(Boolean).join(', ')}</td>
              {hasExample ? <td>{example ? <code>{example}</code> : '–'}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function NoFields({ title }: { title: string }) {
  return (
    <section className={PART}>
      <h2 className={PART_TITLE}>{title}</h2>
      <p className={NOTE}>The merchant declares none.</p>
    </section>
  )
}

function Head({ children }: { children: string }) {
  return (
    <th scope="col" className={cx(TABLE.head, 'align-top')}>
      {children}
    </th>
  )
}

const written = (json: object | undefined) => (json && Object.keys(json).length > 0 ? JSON.stringify(json, null, 2) : null)
