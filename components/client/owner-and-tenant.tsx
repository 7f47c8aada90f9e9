'use client'

import { Search } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../ui/class-names'
import { UUID } from './filter-parsers'

type Named = { owner?: string; tenant?: string }
type Props = { filter: Named; change: (to: { owner?: string | null; tenant?: string | null }) => unknown }

/** Filters by owner and tenant, for administrators. */
export function OwnerAndTenant({ filter, change }: Props) {
  return (
    <>
      <TextFilter
        key={`owner ${filter.owner}`}
        label="Owner"
        initial={filter.owner ?? ''}
        hint="subject or wallet"
        placeholder="Owner or wallet"
        onChange={(owner) => change({ owner: owner || null })}
      />
      <TextFilter
        key={`tenant ${filter.tenant}`}
        label="Tenant"
        initial={filter.tenant ?? ''}
        pattern={UUID}
        hint="tenant ID (UUID)"
        placeholder="Tenant ID"
        onChange={(tenant) => change({ tenant: tenant || null })}
      />
    </>
  )
}

type TextProps = {
  label: string
  initial: string
  hint: string
  placeholder: string
  pattern?: string
  onChange: (text: string) => void
}

/** A text filter that applies on Enter or blur. */
function TextFilter({ label, initial, hint, placeholder, pattern, onChange }: TextProps) {
  const [text, setText] = useState(initial)
  const enter = () => (text.trim() === initial ? undefined : onChange(text.trim()))
  return (
    <form
      className="relative w-40 shrink-0"
      onSubmit={(event) => {
        event.preventDefault()
        enter()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-soft" />
      <input
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={({ target }) => (target.checkValidity() ? enter() : undefined)}
        aria-label={`${label}: ${hint}`}
        title={hint}
        placeholder={placeholder}
        maxLength={200}
        {...(pattern ? { pattern } : {})}
        className={cx(
          'h-8 w-full rounded-lg border pr-2 pl-8 text-sm invalid:border-bad',
          initial === '' ? 'bg-card hover:border-accent' : 'border-accent bg-wash text-accent',
        )}
      />
    </form>
  )
}
