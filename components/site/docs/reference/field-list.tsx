import type { Field } from './fields'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

/** Fields of an object or parameters of a request: name, type and need in a line, the meaning below. */
export function FieldList({ fields }: { fields: readonly Field[] }) {
  return (
    <dl className="fields">
      {fields.map(({ name, type, named, required, about, when }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd className="field-type">{named === null ? type : <a href={schemaUrl(named)}>{type}</a>}</dd>
          <dd className={required && !when ? 'need required' : 'need'}>{when ?? (required ? 'required' : 'optional')}</dd>
          {about === '' ? null : (
            <dd className="about">
              <Prose text={about} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
