'use client'

import { Command } from 'cmdk'
import { Check, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from './class-names'
import { Skeleton } from './panel'
import { Popover } from './popover'
import { SearchInput } from './search-input'

/** A value of a choice: how many rows have it, and whether it is chosen. */
type ChoiceOption = { name: string; shown: ReactNode; count: number; chosen: boolean; disabled: boolean }

type Props = {
  /** What gets the focus back. */
  button: HTMLElement
  /** What it filters by: "Network". */
  label: string
  /** Undefined while they load. */
  options: readonly ChoiceOption[] | undefined
  query: string
  onQuery: (query: string) => void
  /** Adds the value at a place, or removes it. */
  onToggle: (at: number) => void
  onClose: () => void
  /** What to know about the values, below them. */
  note: string | null
}

/** An open panel of values to choose several of, with a search box. It stays open while values are chosen. */
export function ChoiceList({ button, label, options, query, onQuery, onToggle, onClose, note }: Props) {
  const [marked, setMarked] = useState('')
  // Values come and go after the text is typed: what Enter takes must be among them.
  const isThere = options?.some(({ name }) => name === marked)
  const value = isThere ? marked : (options?.find(({ disabled }) => !disabled)?.name ?? '')
  return (
    <Popover
      button={button}
      title={label}
      role="dialog"
      align="start"
      collisionPadding={16}
      onClose={onClose}
      className="w-[min(22rem,calc(100vw-2rem))] overflow-hidden max-sm:w-[calc(100vw-2rem)]"
    >
      {/* Ctrl+K belongs to the page, so the Vim bindings are off. */}
      <Command
        loop
        vimBindings={false}
        shouldFilter={false}
        label={label}
        value={value}
        onValueChange={setMarked}
        className="flex max-h-[min(24rem,60dvh)] flex-col"
      >
        <div className="flex shrink-0 items-center gap-2.5 border-b px-3">
          <Search aria-hidden className="size-3.5 text-soft" />
          <SearchInput
            placeholder={`Find ${label.toLowerCase()}`}
            query={query}
            onChange={onQuery}
            className="h-10 min-w-0 grow text-sm outline-none placeholder:text-soft"
          />
        </div>
        <Command.List aria-multiselectable label={label} className="min-h-24 overflow-y-auto p-1.5">
          {options ? null : (
            <div className="grid gap-3 p-2.5">
              <Skeleton />
              <Skeleton />
            </div>
          )}
          {options?.length === 0 ? (
            <p className="p-2.5 text-sm text-soft">{query ? 'Nothing found.' : 'None in these settlements.'}</p>
          ) : null}
          {options?.map(({ name, shown, count, chosen, disabled }, at) => (
            <Command.Item
              key={name}
              value={name}
              disabled={disabled}
              aria-checked={chosen}
              onSelect={() => onToggle(at)}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm leading-5 aria-disabled:cursor-default aria-disabled:opacity-60 aria-selected:bg-code max-sm:min-h-11"
            >
              <span
                aria-hidden
                className={cx(
                  'grid size-4 shrink-0 place-items-center rounded border',
                  chosen ? 'border-accent bg-accent text-paper' : 'border-soft',
                )}
              >
                {chosen ? <Check className="size-3" strokeWidth={3} /> : null}
              </span>
              <span className="min-w-0 grow">{shown}</span>
              <span className="shrink-0 text-soft tabular-nums">{count.toLocaleString('en')}</span>
            </Command.Item>
          ))}
        </Command.List>
        {note ? <p className="shrink-0 border-t px-4 py-2 text-xs text-soft">{note}</p> : null}
      </Command>
    </Popover>
  )
}
