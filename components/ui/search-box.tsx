'use client'

import { Search } from 'lucide-react'
import type { ComponentProps, RefObject } from 'react'
import { cx } from './class-names'
import { useCommands } from './commands'
import { useEarlyText } from './use-early-text'

type Props = Omit<ComponentProps<'input'>, 'ref' | 'form'> & {
  /** What it finds: "settlements". */
  what: string
  field: RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
  onEnter: () => void
  /** Classes of the whole box; those of `className` are of the field. */
  boxClass: string
}

/** The search of a list; `/` focuses it. `children` stand at its end. */
export function SearchBox({ what, field, text, onText, onEnter, boxClass, className, children, ...props }: Props) {
  useCommands([{ title: `Search ${what}`, key: '/', icon: Search, run: () => field.current?.focus() }])
  useEarlyText(field, onText)
  return (
    <form
      className={cx('relative', boxClass)}
      onSubmit={(event) => {
        event.preventDefault()
        onEnter()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={field}
        type="search"
        value={text}
        onChange={({ target }) => onText(target.value)}
        aria-label={`Search ${what}`}
        {...props}
        className={cx('w-full rounded-lg border bg-card pl-9', className)}
      />
      {children}
    </form>
  )
}
