'use client'

import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCommands } from '../shell/commands'

/** The search of a list; it applies on Enter, and when it is emptied. */
export function SearchBox({ initial, onSearch }: { initial: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(initial)
  const box = useRef<HTMLInputElement>(null)
  useCommands([{ title: 'Search settlements', key: '/', icon: Search, run: () => box.current?.focus() }])
  const enter = (written: string) => {
    setText(written)
    if (written === '' && initial !== '') onSearch('')
  }
  return (
    <form
      className="relative min-w-56 grow basis-64 max-sm:basis-full sm:max-w-xl"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={box}
        type="search"
        value={text}
        onChange={({ target }) => enter(target.value)}
        aria-label="Search settlements"
        title="Words of resources and reasons, or the beginning of an ID, address or transaction"
        placeholder="Resource, reason, ID, address, transaction"
        className="h-9 w-full rounded-lg border border-solid border-line bg-card pr-3 pl-9"
      />
    </form>
  )
}
