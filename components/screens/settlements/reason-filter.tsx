'use client'

import { reasonGroups, reasonTitle } from '@/server/x402/reasons/titles'
import type { Filter } from '../../client/filter-parsers'
import type { ChangeFilter } from '../../client/use-filters'
import { ClearingPill, Pill } from '../../ui/pill'

type Props = Pick<Filter, 'reason' | 'status'> & { change: ChangeFilter }

/** Adds reasons of failures to the filter, and removes them. A title stands for its codes on all networks. With a reason the outcome is Failed. */
export function ReasonFilter({ reason = [], status, change }: Props) {
  const chosen = [...new Set(reason.map(reasonTitle))]
  const offered = reasonGroups.filter(({ title }) => !chosen.includes(title))
  const label = chosen.length > 0 ? 'Add a reason' : 'Reason'
  const add = (title: string) => {
    const codes = reasonGroups.find((group) => group.title === title)?.codes ?? []
    if (codes.length > 0) change({ reason: [...reason, ...codes], ...(status === 'success' ? { status: null } : {}) })
  }
  const remove = (title: string) => {
    const others = reason.filter((code) => reasonTitle(code) !== title)
    change({ reason: others.length > 0 ? others : null })
  }
  return (
    <>
      {chosen.map((title) => (
        <ClearingPill key={title} text={title} clears={`Clear reason ${title}`} onClear={() => remove(title)} />
      ))}
      <Pill
        label={label}
        value=""
        options={[['', chosen.length > 0 ? label : 'All reasons'], ...offered.map(({ title }) => [title, title] as const)]}
        onChange={({ target }) => add(target.value)}
      />
    </>
  )
}
