'use client'

import { Command, useCommandState } from 'cmdk'
import { useEffect, useRef } from 'react'

type Props = { placeholder: string; query: string; onChange: (query: string) => void; className: string }

/** The text box above results. */
export function SearchInput({ placeholder, query, onChange, className }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const selection = useCommandState(({ search, value, selectedItemId }) => `${search} ${value} ${selectedItemId}`)
  // cmdk 1.1.1 reads the active option before it renders, so screen readers would hear none after a search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option changes with the selection
  useEffect(() => {
    const active = input.current?.closest('[cmdk-root]')?.querySelector('[role="option"][aria-selected="true"]')
    if (active) input.current?.setAttribute('aria-activedescendant', active.id)
    else input.current?.removeAttribute('aria-activedescendant')
  }, [selection])
  return <Command.Input ref={input} value={query} onValueChange={onChange} placeholder={placeholder} className={className} />
}
