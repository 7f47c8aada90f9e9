'use client'

import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { Kbd } from '../../../ui/kbd'
import { RESULT, SearchDialog } from '../../../ui/search-dialog'
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
    <SearchDialog
      title="Go to"
      label="Go to a screen or key, find a transaction or address, or run an action"
      placeholder="Screen, key, action, transaction or address"
      query={query}
      onQuery={setQuery}
      onClose={onClose}
      onCloseAutoFocus={(event) => {
        restoreFocus(event)
        // The chosen action may move the focus itself.
        chosen.current?.run()
      }}
      filter={(_id, written, texts) => score(written, texts)}
    >
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
    </SearchDialog>
  )
}

type OptionProps = { entry: Entry; section?: string; onChoose: (entry: Entry) => void }

function Option({ entry, section, onChoose }: OptionProps) {
  const { id, icon: Icon, title, keywords = '', keys = [] } = entry
  return (
    <Command.Item value={id} keywords={[title, keywords]} onSelect={() => onChoose(entry)} className={RESULT}>
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
