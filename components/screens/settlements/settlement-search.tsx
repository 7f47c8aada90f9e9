'use client'

import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { SearchBox } from '../../ui/search-box'

type Props = {
  /** What it finds: "settlements". */
  what: string
  initial: string
  onSearch: (text: string) => void
}

/** The search of settlements; it applies on Enter, and when it is emptied. */
export function SettlementSearch({ what, initial, onSearch }: Props) {
  const [text, setText] = useState(initial)
  const [asked, setAsked] = useState(initial)
  // A link or a cleared filter changes the search from outside.
  if (asked !== initial) {
    setAsked(initial)
    setText(initial)
  }
  const field = useRef<HTMLInputElement>(null)
  const enter = (written: string) => {
    setText(written)
    if (written === '' && initial !== '') onSearch('')
  }
  return (
    <SearchBox
      what={what}
      field={field}
      text={text}
      onText={enter}
      onEnter={() => onSearch(text.trim())}
      name="search"
      title="Words of resources and reasons, or the beginning of an ID, address or transaction"
      placeholder={`Search ${what}`}
      boxClass="md:min-w-54 md:max-w-md md:grow md:basis-54"
      className="h-10 pr-10 md:h-8 md:text-sm [&::-webkit-search-cancel-button]:hidden"
    >
      {text === '' ? null : (
        <button
          type="button"
          aria-label="Empty the search"
          title="Empty the search"
          onClick={() => {
            enter('')
            field.current?.focus()
          }}
          className="absolute top-0 right-0 grid size-10 place-items-center rounded-lg text-soft hover:text-ink md:size-8"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </SearchBox>
  )
}
