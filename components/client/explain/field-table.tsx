import { ChevronDown } from 'lucide-react'
import type { Field } from '@/server/explain/checks'
import { networkTitle, readNetwork } from '@/server/x402/networks/networks'
import { Breaking } from '../../ui/breaking'
import { cx } from '../../ui/class-names'
import { Panel } from '../../ui/panel'

type Props = { fields: readonly Field[]; hasBoth: boolean }

/** The fields. `folds`: only those that differ show at first. */
export function Fields({ fields, hasBoth, folds, title }: Props & { folds: boolean; title: string }) {
  if (fields.length === 0) return null
  const differing = hasBoth ? fields.filter(differs) : []
  const others = folds ? fields.filter((field) => !differing.includes(field)) : []
  const shown = folds ? differing : fields
  return (
    <Panel title={title}>
      {shown.length > 0 ? <FieldTable fields={shown} hasBoth={hasBoth} /> : null}
      {others.length > 0 ? (
        <details className={cx(shown.length > 0 && 'border-t')}>
          <summary className="flex min-h-10 cursor-pointer items-center px-4 py-2 font-medium tabular-nums">
            {others.length} {shown.length > 0 ? 'other ' : ''}
            {others.length === 1 ? 'field' : 'fields'}
            {hasBoth && shown.length === 0 ? ', none differs' : ''}
            <ChevronDown aria-hidden className="ml-auto size-4 text-soft in-open:rotate-180" />
          </summary>
          <div className="border-t">
            <FieldTable fields={others} hasBoth={hasBoth} />
          </div>
        </details>
      ) : null}
    </Panel>
  )
}

/** Whether both sides name a field, and not alike. A network has several names, and an EVM address any case. */
export function differs({ name, payment, requirements }: Field): boolean {
  if (payment === null || requirements === null) return false
  return normal(name, payment) !== normal(name, requirements)
}

function normal(name: string, written: string): string {
  const network = name === 'network' ? readNetwork(written) : null
  if (network && 'known' in network) return network.known
  return written.startsWith('0x') ? written.toLowerCase() : written
}

const STACKED = 'max-sm:[&_:is(td,th)]:block max-sm:[&_:is(td,th)]:py-0.5 max-sm:[&_tr]:block max-sm:[&_tr]:py-2'

/** The fields, with both sides beside each other; on a phone below each other. */
function FieldTable({ fields, hasBoth }: Props) {
  const offers = [...new Set(fields.map(({ name }) => offerOf(name)))]
  return (
    <table className={cx('text-md sm:table-fixed', hasBoth && STACKED)}>
      <thead className="text-sm text-soft max-sm:sr-only">
        <tr>
          {['Field', ...(hasBoth ? ['Payment', 'Requirements'] : ['Value'])].map((head) => (
            <th key={head} scope="col" className="px-4 py-2 first:w-44">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {offers.map((offer) => (
        <tbody key={offer}>
          {offer === '' ? null : (
            <tr className="border-t bg-code">
              <th scope="rowgroup" colSpan={2} className="px-4 py-1.5 text-sm font-semibold">
                {offerTitle(offer)}
              </th>
            </tr>
          )}
          {fields
            .filter(({ name }) => offerOf(name) === offer)
            .map((field) => (
              <FieldRow key={field.name} field={field} hasBoth={hasBoth} />
            ))}
        </tbody>
      ))}
    </table>
  )
}

function FieldRow({ field, hasBoth }: { field: Field; hasBoth: boolean }) {
  const { name, payment, requirements } = field
  const isDifferent = hasBoth && differs(field)
  const title = name.slice(offerOf(name).length)
  const shown = (text: string | null) => (title === 'network' && text !== null ? withTitle(text) : text)
  return (
    <tr className={cx('border-t', isDifferent && 'bg-bad-wash')}>
      <th scope="row" className={cx('px-4 py-1.5 align-top font-medium wrap-anywhere', !hasBoth && 'max-sm:w-42 max-sm:pr-2')}>
        {title}
        {isDifferent ? <span className="ml-2 text-xs font-medium text-bad">differs</span> : null}
      </th>
      {hasBoth ? (
        <>
          <Side label="Payment" text={shown(payment)} />
          <Side label="Requirements" text={shown(requirements)} />
        </>
      ) : (
        <Side text={shown(payment ?? requirements)} />
      )}
    </tr>
  )
}

function withTitle(written: string): string {
  const title = networkTitle(normal('network', written))
  return title === written ? written : `${title} (${written})`
}

// The fields of an offer are named after their place: "header.accepts.0.payTo".
const offerOf = (name: string): string => /^(?:header|body)\.accepts\.\d+\./.exec(name)?.[0] ?? ''

function offerTitle(offer: string): string {
  const [half, , at] = offer.split('.')
  return `Offer ${Number(at) + 1} in the ${half}`
}

/** `label`: the side, which names the column on a phone. */
function Side({ label, text }: { label?: string; text: string | null }) {
  return (
    <td className={cx('px-4 py-1.5 align-top', label ? text === null && 'max-sm:hidden!' : 'max-sm:pl-0')}>
      {label ? <span className="mr-2 text-soft sm:hidden">{label}</span> : null}
      {text === null ? (
        <span className="text-soft">–</span>
      ) : (
        <code className="text-sm wrap-anywhere">
          <Breaking text={text} />
        </code>
      )}
    </td>
  )
}
