'use client'

import { Search } from 'lucide-react'
import { useRef } from 'react'
import { cx } from '../ui/class-names'
import { useTyped } from '../ui/use-typed'
import { UUID } from './filter-parsers'

type Named = { owner?: string; tenant?: string }
type Change = (to: { owner?: string | null; tenant?: string | null }, options: { history: 'replace' }) => unknown
type Props = { filter: Named; change: Change }

// A step back leads to before the first key.
const TYPED = { history: 'replace' } as const

/** Filters by owner and tenant, for administrators. */
export function OwnerAndTenant({ filter, change }: Props) {
  return (
    <>
      <TextFilter
        label="Owner"
        applied={filter.owner ?? ''}
        hint="subject or wallet"
        placeholder="Owner or wallet"
        onChange={(owner) => change({ owner: owner || null }, TYPED)}
      />
      <TextFilter
        label="Tenant"
        applied={filter.tenant ?? ''}
        pattern={UUID}
        hint="tenant ID (UUID)"
        placeholder="Tenant ID"
        onChange={(tenant) => change({ tenant: tenant || null }, TYPED)}
      />
    </>
  )
}

type TextProps = {
  label: string
  applied: string
  hint: string
  placeholder: string
  pattern?: string
  onChange: (text: string) => void
}

/** A text filter that applies as one types, once it has its form; at once on Enter, and on Escape, which empties it. */
function TextFilter({ label, applied, hint, placeholder, pattern, onChange }: TextProps) {
  const field = useRef<HTMLInputElement>(null)
  const accepts = (text: string) => text === '' || field.current?.checkValidity() !== false
  const { text, setText, apply } = useTyped({ applied, accepts, onApply: onChange })
  return (
    <form
      className="relative w-40 shrink-0"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-soft" />
      <input
        ref={field}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          apply('')
        }}
        aria-label={`${label}: ${hint}`}
        title={hint}
        placeholder={placeholder}
        maxLength={200}
        {...(pattern ? { pattern } : {})}
        className={cx(
          'h-8 w-full rounded-lg border pr-2 pl-8 text-sm invalid:border-bad',
          applied === '' ? 'bg-card hover:border-accent' : 'border-accent bg-wash text-accent',
        )}
      />
    </form>
  )
}
