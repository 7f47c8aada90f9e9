'use client'

import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCommands } from '../shell/commands'
import { UUID } from './use-filters'

type Named = { owner?: string; tenant?: string }
type Props = { filter: Named; change: (to: { owner?: string | null; tenant?: string | null }) => unknown }

/** Whose figures or rows an administrator looks at. */
export function OwnerAndTenant({ filter, change }: Props) {
  return (
    <>
      <OwnerBox owner={filter.owner} onChange={(owner) => change({ owner })} />
      <TextFilter
        key={`tenant ${filter.tenant}`}
        label="Tenant"
        initially={filter.tenant ?? ''}
        pattern={UUID}
        hint="the id of a tenant, a UUID"
        onChange={(tenant) => change({ tenant: tenant || null })}
      />
    </>
  )
}

type OwnerProps = {
  owner: string | undefined
  onChange: (owner: string | null) => unknown
  /** Whether it is the search box of its screen. */
  main?: boolean
}

/** Whose tenants an administrator looks at: a subject of the identity provider, or a wallet. */
export function OwnerBox({ owner = '', onChange, main = false }: OwnerProps) {
  return (
    <TextFilter
      key={`owner ${owner}`}
      label="Owner"
      initially={owner}
      hint="a subject or a wallet"
      onChange={(to) => onChange(to || null)}
      main={main}
    />
  )
}

type TextProps = {
  label: string
  initially: string
  hint: string
  pattern?: string
  onChange: (text: string) => void
  main?: boolean
}

/** A text that narrows once it is entered. */
function TextFilter({ label, initially, hint, pattern, onChange, main = false }: TextProps) {
  const box = useRef<HTMLInputElement>(null)
  useCommands(
    main ? [{ title: `Narrow by ${label.toLowerCase()}`, key: '/', icon: Search, run: () => box.current?.focus() }] : [],
  )
  const [text, setText] = useState(initially)
  const enter = () => (text.trim() === initially ? undefined : onChange(text.trim()))
  return (
    <form
      className="w-32"
      onSubmit={(event) => {
        event.preventDefault()
        enter()
      }}
    >
      <input
        ref={box}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={({ target }) => (target.checkValidity() ? enter() : undefined)}
        aria-label={`${label}: ${hint}`}
        title={hint}
        placeholder={label}
        maxLength={200}
        {...(pattern ? { pattern } : {})}
        className="h-9 w-full rounded-lg border border-solid border-line bg-card px-3 invalid:border-bad"
      />
    </form>
  )
}
