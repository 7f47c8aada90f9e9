'use client'

import * as Radix from '@radix-ui/react-dialog'
import { Command, useCommandState } from 'cmdk'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Kbd } from '../../../ui/kbd'
import { useOpener } from '../../../ui/use-opener'
import type { LayerProps } from '../layers'
import { score } from './score'
import { type Entry, useEntries } from './use-entries'

/** Finds screens, keys, transactions and actions by a few letters. */
export function Palette({ who, onClose, show }: LayerProps) {
  const [query, setQuery] = useState('')
  const chosen = useRef<Entry>(null)
  const restoreFocus = useOpener(true)
  const groups = useEntries(who, show, query)
  function choose(entry: Entry) {
    chosen.current = entry
    onClose()
  }
  return (
    <Radix.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="overlay fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            restoreFocus(event)
            // The chosen action may move the focus itself.
            chosen.current?.run()
          }}
          className="app fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-2xl border bg-card text-ink shadow-2xl"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          {/* Ctrl+K closes the palette, so the Vim bindings are off. */}
          <Command
            loop
            vimBindings={false}
            label="Go to a screen or key, find a transaction or address, or run an action"
            filter={(_id, written, texts) => score(written, texts)}
            className="flex min-h-0 flex-col outline-none"
          >
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-soft" />
              <SearchInput query={query} onChange={setQuery} />
              <Kbd className="max-sm:hidden">Esc</Kbd>
            </div>
            <Command.List label="Results" className="min-h-0 overflow-y-auto p-2">
              {query.trim() === ''
                ? groups.map(({ title, entries }) => (
                    <Command.Group
                      key={title}
                      heading={title}
                      className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-soft"
                    >
                      {entries.map((entry) => (
                        <Option key={entry.id} entry={entry} onChoose={choose} />
                      ))}
                    </Command.Group>
                  ))
                : // Without sections, the best match comes first.
                  groups.flatMap(({ title, entries }) =>
                    entries.map((entry) => <Option key={entry.id} entry={entry} section={title} onChoose={choose} />),
                  )}
            </Command.List>
            <Command.Empty>
              <p role="status" className="px-4 pt-2 pb-6 text-center text-soft">
                No results. Paste a full transaction hash or address to search your settlements.
              </p>
            </Command.Empty>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function SearchInput({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const selection = useCommandState(({ search, value, selectedItemId }) => `${search} ${value} ${selectedItemId}`)
  // cmdk 1.1.1 reads the active option before it renders, so screen readers would hear none after a search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option changes with the selection
  useEffect(() => {
    const active = input.current?.closest('[cmdk-root]')?.querySelector('[role="option"][aria-selected="true"]')
    if (active) input.current?.setAttribute('aria-activedescendant', active.id)
    else input.current?.removeAttribute('aria-activedescendant')
  }, [selection])
  return (
    <Command.Input
      ref={input}
      value={query}
      onValueChange={onChange}
      placeholder="Screen, key, action, transaction or address"
      className="h-13 min-w-0 grow px-0.5 outline-none placeholder:text-soft"
    />
  )
}

type OptionProps = { entry: Entry; section?: string; onChoose: (entry: Entry) => void }

function Option({ entry, section, onChoose }: OptionProps) {
  const { id, icon: Icon, title, keywords = '', keys = [] } = entry
  return (
    <Command.Item
      value={id}
      keywords={[title, keywords]}
      onSelect={() => onChoose(entry)}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 aria-selected:bg-wash aria-selected:text-accent"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 grow truncate">{title}</span>
      {section ? <span className="text-xs whitespace-nowrap text-soft">{section}</span> : null}
      {/* Screen readers would read single letters as part of the name. */}
      <span aria-hidden className="flex gap-1 max-sm:hidden">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </Command.Item>
  )
}
