'use client'

import { Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCommands } from '../../ui/commands'
import { useEarlyText } from '../../ui/use-early-text'

type Props = {
  /** What it finds: "settlements". */
  what: string
  initial: string
  onSearch: (text: string) => void
}

/** The search of a list; it applies on Enter, and when it is emptied. */
export function SearchBox({ what, initial, onSearch }: Props) {
  const [text, setText] = useState(initial)
  const [asked, setAsked] = useState(initial)
  // A link or a cleared filter changes the search from outside.
  if (asked !== initial) {
    setAsked(initial)
    setText(initial)
  }
  const box = useRef<HTMLInputElement>(null)
  useCommands([{ title: `Search ${what}`, key: '/', icon: Search, run: () => box.current?.focus() }])
  useEarlyText(box, setText)
  const enter = (written: string) => {
    setText(written)
    if (written === '' && initial !== '') onSearch('')
  }
  return (
    <form
      className="relative md:min-w-54 md:max-w-md md:grow md:basis-54"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={box}
        type="search"
        name="search"
        value={text}
        onChange={({ target }) => enter(target.value)}
        aria-label={`Search ${what}`}
        title="Words of resources and reasons, or the beginning of an ID, address or transaction"
        placeholder={`Search ${what}`}
        className="h-10 w-full rounded-lg border bg-card pr-10 pl-9 md:h-8 md:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' ? null : (
        <button
          type="button"
          aria-label="Empty the search"
          title="Empty the search"
          onClick={() => {
            enter('')
            box.current?.focus()
          }}
          className="absolute top-0 right-0 grid size-10 place-items-center rounded-lg text-soft hover:text-ink md:size-8"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </form>
  )
}
