import type { ReactNode } from 'react'
import type { CatalogItem } from '@/server/discovery/schemas'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { type DeclaredField, declaredFields } from './declared-fields'
import { PART, PART_TITLE, TABLE } from './look'

/** The input and output that the merchant declared, as fields; the JSON is folded. */
export function Declared({ item }: { item: CatalogItem }) {
  const { inputs, outputs } = declaredFields(item)
  const info = written(item.extensions?.bazaar.info ?? item.accepts[0]?.outputSchema)
  const schema = written(item.extensions?.bazaar.schema)
  return (
    <>
      <Fields title="Input" none="The merchant declares no input." fields={inputs} />
      <Fields title="Output" none="The merchant declares no output." fields={outputs} />
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

function Fields({ title, none, fields }: { title: string; none: string; fields: readonly DeclaredField[] }) {
  // An empty column says nothing.
  const hasAbout = fields.some(({ about }) => about)
  const hasExample = fields.some(({ example }) => example)
  return (
    <section className={PART}>
      <h2 className={PART_TITLE}>{title}</h2>
      {fields.length === 0 ? (
        <p className="text-soft">{none}</p>
      ) : (
        <table className={cx(TABLE.whole, 'table-fixed phone:block')} aria-label={title}>
          <thead className="phone:sr-only">
            <tr>
              <Head>Name</Head>
              {hasAbout ? <Head>Description</Head> : null}
              {hasExample ? <Head>Example</Head> : null}
            </tr>
          </thead>
          <tbody className="phone:block">
            {fields.map(({ part, name, type, isRequired, about, example }) => (
              <tr key={`${part} ${name}`} className={ROW}>
                <th scope="row" className="phone:block">
                  <code>{name}</code>
                  <span className="block text-[0.8rem] text-soft phone:ml-[0.55rem] phone:inline">
                    {[type, part, isRequired ? 'required' : ''].filter(Boolean).join(', ')}
                  </span>
                </th>
                {hasAbout ? <Value name="Description">{about}</Value> : null}
                {hasExample ? <Value name="Example">{example ? <code>{example}</code> : null}</Value> : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

// On a phone a field is a block of values with their names.
const ROW = cx(
  TABLE.row,
  '*:align-top *:wrap-anywhere',
  'phone:block phone:border-t phone:px-[1.1rem] phone:py-[0.7rem] phone:first:border-t-0',
  'phone:*:border-0 phone:*:p-0 phone:*:first:pl-0 phone:*:last:pr-0',
)

function Head({ children }: { children: string }) {
  return (
    <th scope="col" className={cx(TABLE.head, 'align-top')}>
      {children}
    </th>
  )
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td
      data-name={name}
      className="phone:grid phone:grid-cols-[6rem_minmax(0,1fr)] phone:gap-[0.6rem] phone:before:text-soft phone:before:content-[attr(data-name)]"
    >
      {children || '–'}
    </td>
  )
}

const written = (json: object | undefined) => (json && Object.keys(json).length > 0 ? JSON.stringify(json, null, 2) : null)
