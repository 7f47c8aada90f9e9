import type { Schemas } from '@/server/http/openapi/json-schema'
import { cx } from '../../../ui/class-names'
import { type Field, fieldsOf } from './fields'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

const MARK = 'min-w-0 py-[0.05rem] text-[0.78rem]/[1.5] wrap-anywhere'

/** Fields of an object or parameters of a request: name, type and need in a line, the meaning below. With `schemas`, objects unfold. */
export function FieldList({ fields, schemas }: { fields: readonly Field[]; schemas?: Schemas | undefined }) {
  return (
    <dl className="grid text-[0.94rem]">
      {fields.map(({ name, type, named, required, about, when }) => (
        <div className="flex flex-wrap items-baseline gap-x-[0.6rem] gap-y-[0.2rem] border-t py-[0.6rem]" key={name}>
          <dt className="font-semibold wrap-anywhere">
            <code className="bg-transparent p-0">{name}</code>
          </dt>
          <dd className={cx(MARK, 'rounded-[5px] bg-code px-[0.45rem] font-mono font-medium text-soft phone:order-1')}>
            {named === null ? type : <a href={schemaUrl(named)}>{type}</a>}
          </dd>
          <dd className={cx(MARK, required && !when ? 'font-semibold text-warn' : 'font-medium text-soft')}>
            {when ?? (required ? 'required' : 'optional')}
          </dd>
          {about === '' ? null : (
            <dd className="basis-full wrap-anywhere phone:order-2">
              <Prose text={about} />
            </dd>
          )}
          {named === null || schemas === undefined ? null : <Inside name={named} schemas={schemas} />}
        </div>
      ))}
    </dl>
  )
}

/** The fields of a named object, folded. Its own objects do not unfold: a link leads to each. */
function Inside({ name, schemas }: { name: string; schemas: Schemas }) {
  const fields = fieldsOf(schemas[name] ?? {}, schemas)
  if (fields.length === 0) return null
  return (
    <dd className="basis-full phone:order-2">
      <details>
        <summary className="w-fit cursor-pointer py-[0.2rem] text-[0.88rem] font-medium text-soft hover:text-ink">
          {fields.length} fields <span className="sr-only">of {name}</span>
        </summary>
        <div className="mt-1 border-l-2 pl-4 [&_dl>div:first-child]:border-t-0">
          <FieldList fields={fields} />
        </div>
      </details>
    </dd>
  )
}
