import { cx } from '../../../ui/class-names'
import type { Field } from './fields'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

const MARK = 'min-w-0 py-[0.05rem] text-[0.78rem]/[1.5] wrap-anywhere'

/** Fields of an object or parameters of a request: name, type and need in a line, the meaning below. */
export function FieldList({ fields }: { fields: readonly Field[] }) {
  return (
    <dl className="grid text-[0.94rem]">
      {fields.map(({ name, type, named, required, about, when }) => (
        <div className="flex flex-wrap items-baseline gap-x-[0.6rem] gap-y-[0.2rem] border-t py-[0.6rem]" key={name}>
          <dt className="font-semibold wrap-anywhere">
            <code className="bg-transparent p-0">{name}</code>
          </dt>
          <dd className={cx(MARK, 'rounded-[5px] bg-code px-[0.45rem] font-mono font-medium text-soft')}>
            {named === null ? type : <a href={schemaUrl(named)}>{type}</a>}
          </dd>
          <dd className={cx(MARK, required && !when ? 'font-semibold text-warn' : 'font-medium text-soft')}>
            {when ?? (required ? 'required' : 'optional')}
          </dd>
          {about === '' ? null : (
            <dd className="basis-full wrap-anywhere text-soft">
              <Prose text={about} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
