import type { Field } from '@/server/explain/checks'
import { cx } from '../../ui/class-names'

/** The fields side by side; on a phone below each other. */
export function FieldTable({ fields, hasBoth }: { fields: readonly Field[]; hasBoth: boolean }) {
  return (
    <table className="text-md sm:table-fixed max-sm:[&_td]:block max-sm:[&_th]:block max-sm:[&_tr]:block">
      <thead className={cx('text-sm text-soft', 'max-sm:sr-only')}>
        <tr>
          <th scope="col" className={cx('px-4 py-2', hasBoth ? 'w-44' : 'w-2/5')}>
            Field
          </th>
          <th scope="col" className="px-4 py-2">
            {hasBoth ? 'Payment' : 'Value'}
          </th>
          {hasBoth ? (
            <th scope="col" className="px-4 py-2">
              Requirements
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <FieldRow key={field.name} field={field} hasBoth={hasBoth} />
        ))}
      </tbody>
    </table>
  )
}

function FieldRow({ field: { name, payment, requirements }, hasBoth }: { field: Field; hasBoth: boolean }) {
  const isDifferent = payment !== null && requirements !== null && payment.toLowerCase() !== requirements.toLowerCase()
  return (
    <tr className={cx('border-t max-sm:py-2', isDifferent && 'bg-bad-wash')}>
      <th scope="row" className="px-4 py-1.5 align-top font-medium wrap-anywhere max-sm:py-0.5">
        {name}
        {isDifferent ? <span className="ml-2 text-xs font-medium text-bad">differs</span> : null}
      </th>
      {hasBoth ? (
        <>
          <Side label="Payment" text={payment} />
          <Side label="Requirements" text={requirements} />
        </>
      ) : (
        <Side label="Value" text={payment ?? requirements} />
      )}
    </tr>
  )
}

function Side({ label, text }: { label: string; text: string | null }) {
  return (
    <td className={cx('px-4 py-1.5 align-top max-sm:py-0.5', text === null && 'max-sm:hidden!')}>
      <span className="mr-2 text-soft sm:hidden">{label}</span>
      {text === null ? <span className="text-soft">–</span> : <code className="text-sm wrap-anywhere">{text}</code>}
    </td>
  )
}
