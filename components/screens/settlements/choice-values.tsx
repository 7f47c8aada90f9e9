'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { reasonTitle } from '@/server/x402/reasons/titles'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC } from '../../client/trpc'
import { ChoiceList } from '../../ui/choice-list'
import { ResourceName } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import { type ChoiceName, type KeyNames, nameOf } from './choice-names'

type Props = {
  button: HTMLElement
  reader: ReaderName
  filter: Filter
  name: ChoiceName
  label: string
  chosen: readonly string[]
  keys: KeyNames | undefined
  onChange: (values: string[]) => void
  onClose: () => void
}

/** How many values one filter takes. */
const CHOSEN_MAX = 16

type Option = { values: string[]; name: string; count: number }

/** The values of a filter that occur in the list, with their counts, to choose several of. */
export function ChoiceValues({ button, reader, filter, name, label, chosen, keys, onChange, onClose }: Props) {
  const trpc = useTRPC()
  const [query, setQuery] = useState('')
  // Its own values change nothing of what it offers.
  const { [name]: _, ...others } = filter
  const asked = { reader, ...others, of: name }
  const { data: all } = useQuery(trpc.settlements.choices.queryOptions(asked, { placeholderData: keepPreviousData }))
  const find = useDeferredValue(query.trim())
  const further = useQuery(
    trpc.settlements.choices.queryOptions(
      { ...asked, find },
      { enabled: Boolean(all?.others && find), placeholderData: keepPreviousData },
    ),
  )
  const data = all?.others && find ? (further.data ?? all) : all
  const offered =
    data && withChosen(data.options, chosen, (value) => (name === 'reason' ? reasonTitle(value) : nameOf(name, value, keys)))
  const shown = offered?.filter((option) => holds(option, find))
  const groups = offered?.filter(({ values }) => isChosen(values, chosen)).length ?? 0
  const full = name !== 'reason' && groups >= CHOSEN_MAX
  const toggle = ({ values }: Option) => {
    const without = chosen.filter((one) => !values.some((value) => isSame(one, value)))
    onChange(isChosen(values, chosen) ? without : [...without, ...values])
  }
  return (
    <ChoiceList
      button={button}
      label={label}
      query={query}
      onQuery={setQuery}
      options={shown?.map((option) => {
        const on = isChosen(option.values, chosen)
        return {
          ...option,
          name: option.values[0] ?? option.name,
          shown: <Name of={name} option={option} />,
          chosen: on,
          disabled: full && !on,
        }
      })}
      onToggle={(at) => {
        const option = shown?.[at]
        if (option) toggle(option)
      }}
      onClose={onClose}
      note={noteOf({ full, others: data?.others ?? false, counted: data?.counted ?? null })}
    />
  )
}

function Name({ of, option: { name } }: { of: ChoiceName; option: Option }) {
  if (of === 'resource') return <ResourceName url={name} />
  if (of === 'payer' || of === 'recipient') {
    return (
      <span title={name} className="font-mono">
        {shortened(name)}
      </span>
    )
  }
  return (
    <span title={name} className="block truncate">
      {name}
    </span>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isChosen = (values: readonly string[], chosen: readonly string[]) =>
  values.some((value) => chosen.some((one) => isSame(one, value)))

// What is chosen stays, so that it can be removed, although nothing of it is in the list now.
function withChosen(options: readonly Option[], chosen: readonly string[], nameOf: (value: string) => string): Option[] {
  const missing = chosen.filter((one) => !options.some(({ values }) => isChosen(values, [one])))
  const names = [...new Set(missing.map(nameOf))]
  return [...names.map((name) => ({ values: missing.filter((one) => nameOf(one) === name), name, count: 0 })), ...options]
}

const holds = ({ name, values }: Option, find: string) =>
  [name, ...values].some((text) => text.toLowerCase().includes(find.toLowerCase()))

function noteOf({ full, others, counted }: { full: boolean; others: boolean; counted: number | null }): string | null {
  if (full) return `One filter takes up to ${CHOSEN_MAX}.`
  const notes = [
    ...(others ? ['Search to find others'] : []),
    ...(counted === null ? [] : [`Counts of the newest ${counted.toLocaleString('en')}`]),
  ]
  return notes.length > 0 ? `${notes.join(' · ')}.` : null
}

/** The reasons that a filter has, in words. */
export function ReasonText({ codes }: { codes: readonly string[] }) {
  const titles = [...new Set(codes.map(reasonTitle))]
  return titles.length === 1 ? titles[0] : `${titles.length} selected`
}
