'use client'

import { reasonGroups, reasonTitle } from '@/server/x402/reason-titles'
import { Choice } from '../ui/fields'
import { Chip } from './chip'
import type { ChangeFilter } from './use-filters'

type Props = { reason: readonly string[] | undefined; change: ChangeFilter }

/** Adds reasons of failures to the filter. A title stands for its codes on all networks. */
export function ReasonChoice({ reason = [], change }: Props) {
  const chosen = new Set(reason.map(reasonTitle))
  const offered = reasonGroups.filter(({ title }) => !chosen.has(title))
  const add = (title: string) => {
    const codes = reasonGroups.find((group) => group.title === title)?.codes ?? []
    if (codes.length > 0) change({ reason: [...reason, ...codes], status: null })
  }
  return (
    <Choice
      label={chosen.size > 0 ? 'Add a reason' : 'Reason'}
      value=""
      options={[['', chosen.size > 0 ? 'Add a reason' : 'All reasons'], ...offered.map(({ title }) => [title, title] as const)]}
      onChange={({ target }) => add(target.value)}
      className="sm:max-w-48"
    />
  )
}

/** The chosen reasons; a click removes one. */
export function ReasonChips({ reason = [], change }: Props) {
  const titles = [...new Set(reason.map(reasonTitle))]
  const without = (title: string) => reason.filter((code) => reasonTitle(code) !== title)
  return titles.map((title) => (
    <Chip
      key={title}
      text={title}
      clears={`Clear reason ${title}`}
      onClear={() => change({ reason: without(title).length > 0 ? without(title) : null })}
    />
  ))
}
