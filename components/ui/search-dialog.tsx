'use client'

import * as Radix from '@radix-ui/react-dialog'
import { Command } from 'cmdk'
import { Search, X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Kbd } from './kbd'
import { SearchInput } from './search-input'

type Props = Pick<ComponentProps<typeof Command>, 'filter' | 'onKeyDown'> & {
  title: string
  /** The name of its box for screen readers. */
  label: string
  placeholder: string
  query: string
  onQuery: (query: string) => void
  onClose: () => void
  /** What was found, in its last line. */
  note?: ReactNode
  /** After it closed: who gets the focus. */
  onCloseAutoFocus: (event: Event) => void
  children: ReactNode
}

/** An open dialog with a search box above its results. Without a `filter`, all of them match. */
export function SearchDialog({
  title,
  label,
  placeholder,
  query,
  onQuery,
  onClose,
  note,
  onCloseAutoFocus,
  filter,
  onKeyDown,
  children,
}: Props) {
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay data-layer="usual" className="overlay fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          data-layer="usual"
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="app fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-2xl border bg-card text-ink shadow-2xl phone:inset-0 phone:max-h-none phone:w-full phone:translate-x-0 phone:rounded-none phone:border-0"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {/* Ctrl+K belongs to the page, so the Vim bindings are off. */}
          <Command
            loop
            vimBindings={false}
            label={label}
            shouldFilter={filter !== undefined}
            {...(filter ? { filter } : {})}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.currentTarget.dataset.moved = ''
              onKeyDown?.(event)
            }}
            className="flex min-h-0 flex-col outline-none"
          >
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-soft" />
              <SearchInput
                placeholder={placeholder}
                query={query}
                onChange={onQuery}
                className="h-13 min-w-0 grow px-0.5 outline-none placeholder:text-soft"
              />
              <Kbd className="max-sm:hidden pointer-coarse:hidden">Esc</Kbd>
              <Radix.Close
                aria-label="Close"
                // Enter would choose a result.
                onKeyDown={(event) => event.stopPropagation()}
                className="-mr-2 grid size-9 shrink-0 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink pointer-fine:sm:hidden"
              >
                <X aria-hidden className="size-4" />
              </Radix.Close>
            </div>
            {children}
            <div className="flex shrink-0 items-center gap-4 border-t px-4 py-2 text-xs text-soft phone:border-0">
              <span aria-hidden className="flex items-center gap-1 phone:hidden pointer-coarse:hidden">
                <Kbd>↑</Kbd>
                <Kbd>↓</Kbd> Move
              </span>
              <span aria-hidden className="flex items-center gap-1 phone:hidden pointer-coarse:hidden">
                <Kbd>↵</Kbd> Open
              </span>
              {note ? <output className="sm:ml-auto">{note}</output> : null}
            </div>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The classes of a result. By touch, the first one stands out only after an arrow key. */
export const RESULT =
  'flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 sm:pointer-fine:aria-selected:bg-wash sm:pointer-fine:aria-selected:text-accent in-data-moved:aria-selected:bg-wash in-data-moved:aria-selected:text-accent'
