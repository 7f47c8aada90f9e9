'use client'

import { Search } from 'lucide-react'
import { cx } from '../ui/class-names'
import { useTyped } from '../ui/use-typed'
import { uuidOf } from './filter-parsers'

type Named = { owner?: string; tenant?: string }
type Change = (to: { owner: string | null; tenant: string | null }, options: { history: 'replace' }) => unknown
type Props = { filter: Named; change: Change }

// A step back leads to before the first key.
const TYPED = { history: 'replace' } as const

/** What a written owner or tenant filters by: a UUID is a tenant, except after "owner:". */
export function ownerOrTenant(text: string): { owner: string | null; tenant: string | null } {
  const owner = text.replace(/^owner:\s*/i, '')
  const tenant = owner === text ? uuidOf(text) : null
  if (tenant !== null) return { owner: null, tenant }
  return { owner: owner || null, tenant: null }
}

/** How the field writes a filter. */
function writtenAs({ owner = '', tenant }: Named): string {
  if (tenant) return tenant
  return ownerOrTenant(owner).tenant === null ? owner : `owner:${owner}`
}

/** Filters by owner or tenant, for administrators. It applies as one types; at once on Enter, and on Escape, which empties it. */
export function OwnerAndTenant({ filter, change }: Props) {
  const applied = writtenAs(filter)
  const { text, setText, apply } = useTyped({ applied, onApply: (written) => change(ownerOrTenant(written), TYPED) })
  return (
    <form
      className="relative w-44 shrink-0 xl:ml-auto"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-soft" />
      <input
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          apply('')
        }}
        aria-label="Owner or tenant ID"
        title="A subject, a wallet or a tenant ID. Write owner: before a subject that is a UUID."
        placeholder="Owner or tenant ID"
        maxLength={200}
        className={cx(
          'h-8 w-full rounded-lg border pr-2 pl-8 text-sm',
          applied === '' ? 'bg-card hover:border-accent' : 'border-accent bg-wash text-accent',
        )}
      />
    </form>
  )
}
