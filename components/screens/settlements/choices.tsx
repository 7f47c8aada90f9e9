'use client'

import type { Filter, ReaderName } from '../../client/filter-parsers'
import type { ChangeFilter } from '../../client/use-filters'
import { later } from '../../ui/later'
import { ChoicePill } from '../../ui/pill'
import { CHOICES, type ChoiceName, type KeyNames, nameOf } from './choice-names'
import type { Spare } from './few'

const load = () => import('./choice-values')
// Loaded when a choice first opens.
const ChoiceValues = later(() => load().then((loaded) => loaded.ChoiceValues))
// It holds the titles of all reasons.
const ReasonText = later(() => load().then((loaded) => loaded.ReasonText), 'Reason')

// Payers know themselves; administrators choose keys by owner and tenant.
const NAMES: Record<ReaderName, readonly ChoiceName[]> = {
  merchant: ['reason', 'network', 'key', 'resource', 'payer'],
  agent: ['reason', 'network', 'key', 'resource', 'payer'],
  payer: ['reason', 'network', 'resource', 'recipient'],
  admin: ['reason', 'network', 'resource', 'payer'],
}

type Props = { reader: ReaderName; filter: Filter; change: ChangeFilter; keys: KeyNames | undefined; spare: readonly Spare[] }

/** The filters of a list that take several values, each with those that occur and their counts. A filter of a link shows, too. */
export function Choices({ reader, filter, change, keys, spare }: Props) {
  const linked = (['key', 'payer', 'recipient'] as const).filter((name) => filter[name] && !NAMES[reader].includes(name))
  const names = NAMES[reader].filter((name) => filter[name] || !spare.includes(name))
  return [...names, ...linked].map((name) => {
    const label = CHOICES[name]
    const chosen = filter[name] ?? []
    const apply = (values: string[]) => change(changeOf(name, values))
    return (
      <ChoicePill
        key={name}
        label={label}
        text={chosen.length === 0 ? null : <ChosenText name={name} chosen={chosen} keys={keys} />}
        onClear={() => apply([])}
        onNear={load}
      >
        {(button, close) => (
          <ChoiceValues
            button={button}
            reader={reader}
            filter={filter}
            name={name}
            label={label}
            keys={keys}
            chosen={chosen}
            onChange={apply}
            onClose={close}
          />
        )}
      </ChoicePill>
    )
  })
}

// Only failures have a reason: the outcome shows it.
function changeOf(name: ChoiceName, values: string[]): Parameters<ChangeFilter>[0] {
  const given = values.length > 0 ? values : null
  return name === 'reason' && given ? { reason: given, status: 'failed' } : { [name]: given }
}

type ChosenProps = { name: ChoiceName; chosen: readonly string[]; keys: KeyNames | undefined }

function ChosenText({ name, chosen, keys }: ChosenProps) {
  const [one = '', ...others] = chosen
  if (name === 'reason') return <ReasonText codes={chosen} />
  if (others.length > 0) return `${chosen.length} selected`
  return nameOf(name, one, keys)
}
