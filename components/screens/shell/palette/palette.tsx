'use client'

import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { recent } from '../../../client/recent'
import { Kbd } from '../../../ui/kbd'
import { Marked } from '../../../ui/marked'
import { RESULT, SearchDialog } from '../../../ui/search-dialog'
import { useOpener } from '../../../ui/use-opener'
import type { LayerProps } from '../layers'
import { BEHIND, type Entry, type Group, openPlace, weightOf } from './entry'
import { score } from './score'
import { useEntries } from './use-entries'

/** Finds screens, settlements, resources, keys, tenants, reasons, pages of the documentation and actions by a few letters. */
export function Palette({ who, onClose, show }: LayerProps) {
  const router = useRouter()
  const [query, setQuery] = useState('')
  const chosen = useRef<Entry>(null)
  const restoreFocus = useOpener(true)
  const groups = useEntries(who, show, query)
  function choose(entry: Entry) {
    chosen.current = entry
    const { title, about = '', href, fleeting } = entry
    if (href && !fleeting) recent.add(who.account, { title, about, href })
    onClose()
  }
  return (
    <SearchDialog
      title="Go to"
      label="Go to a screen, key, settlement, resource or page, or run an action"
      placeholder="Screens, settlements, docs, keys…"
      query={query}
      onQuery={setQuery}
      onClose={onClose}
      onCloseAutoFocus={(event) => {
        restoreFocus(event)
        // The chosen action may move the focus itself.
        const { href, run } = chosen.current ?? {}
        if (href) openPlace(href, router.push)
        else run?.()
      }}
      filter={matchOf}
    >
      <Command.List label="Results" className={LIST}>
        {byBest(groups, query).map(({ title, entries }) => (
          <Command.Group
            key={title}
            heading={title}
            className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-soft"
          >
            {entries.map((entry) => (
              <Option key={entry.id} entry={entry} sought={query.trim()} onChoose={choose} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <Command.Empty>
        <p role="status" className="px-4 pt-2 pb-6 text-center text-soft">
          No results. A full id, transaction or address finds older settlements.
        </p>
      </Command.Empty>
    </SearchDialog>
  )
}

// Its last line fades, and ends above that once all is scrolled.
const LIST =
  'min-h-0 scroll-pb-6 overflow-y-auto px-2 pt-2 after:pointer-events-none after:sticky after:bottom-0 after:block after:h-6 after:bg-linear-to-t after:from-card after:to-transparent'

const matchOf = (id: string, written: string, texts: readonly string[] = []) => score(written, texts) * weightOf(id)

/** Sections by their best match, best first: the library sorts only the entries within them. What was found keeps its order. */
function byBest(groups: readonly Group[], query: string): Group[] {
  const best = ({ entries }: Group) =>
    Math.max(
      ...entries.map(({ id, title, keywords = '' }) => matchOf(id, query, [id.startsWith(BEHIND.found) ? '' : title, keywords])),
    )
  return groups.toSorted((a, b) => best(b) - best(a))
}

type OptionProps = { entry: Entry; sought: string; onChoose: (entry: Entry) => void }

function Option({ entry, sought, onChoose }: OptionProps) {
  const { id, icon: Icon, title, about, keywords = '', keys = [] } = entry
  return (
    <Command.Item value={id} keywords={[title, keywords]} onSelect={() => onChoose(entry)} className={RESULT}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {/* A second line has what tells results of the same name apart: always on a phone, and after a long name. */}
      <span className="grid min-w-0 grow grid-cols-1 sm:flex sm:flex-wrap sm:items-baseline sm:gap-x-3">
        <span className="max-w-full truncate">
          <Marked text={title} sought={sought} />
        </span>
        {about ? (
          <span className="max-w-full truncate text-sm text-soft">
            <Marked text={about} sought={sought} />
          </span>
        ) : null}
      </span>
      {/* Screen readers would read single letters as part of the name. */}
      <span aria-hidden className="flex gap-1 max-sm:hidden pointer-coarse:hidden">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </Command.Item>
  )
}
