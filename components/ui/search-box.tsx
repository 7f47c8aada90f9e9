'use client'

import { Search, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { cx } from './class-names'
import { useCommands } from './commands'
import { useEarlyText } from './use-early-text'
import { useTyped } from './use-typed'

type Props = Omit<ComponentProps<'input'>, 'ref' | 'form' | 'value' | 'onChange'> & {
  /** What it finds: "settlements". */
  what: string
  /** The text that the list is searched for. */
  applied: string
  onSearch: (text: string) => void
  /** Classes of the whole box; those of `className` are of the field. */
  boxClass: string
}

/** The search of a list, which applies as one types; at once on Enter, and on Escape, which empties it. `/` focuses it. */
export function SearchBox({ what, applied, onSearch, boxClass, className, ...props }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { text, setText, apply } = useTyped({ applied, onApply: onSearch })
  useCommands([{ title: `Search ${what}`, key: '/', icon: Search, run: () => field.current?.focus() }])
  useEarlyText(field, setText)
  return (
    <form
      className={cx('relative', boxClass)}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={field}
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          apply('')
        }}
        aria-label={`Search ${what}`}
        {...props}
        className={cx('w-full rounded-lg border bg-card pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden', className)}
      />
      {text === '' ? null : (
        <button
          type="button"
          aria-label="Empty the search"
          title="Empty the search"
          onClick={() => {
            apply('')
            field.current?.focus()
          }}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-lg text-soft hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </form>
  )
}
