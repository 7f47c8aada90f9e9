import type { Field } from './fields'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

/** Fields of an object or parameters of a request; blocks on a phone. */
export function FieldTable({ fields, caption }: { fields: readonly Field[]; caption: string }) {
  if (fields.length === 0) return null
  return (
    <table className="fields">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              <code>{field.name}</code>
              {field.required ? null : <span className="optional"> optional</span>}
            </th>
            <td>{field.named === null ? field.type : <a href={schemaUrl(field.named)}>{field.type}</a>}</td>
            <td>
              <Prose text={field.about} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
