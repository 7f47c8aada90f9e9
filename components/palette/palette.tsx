'use client'

import * as Radix from '@radix-ui/react-dialog'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { LayerProps } from '../shell/use-keyboard'
import { cx } from '../ui/class-names'
import { Search } from '../ui/icons'
import { Kbd } from '../ui/kbd'
import { useOpener } from '../ui/use-opener'
import { type Entry, useEntries } from './use-entries'

/** Goes anywhere and does anything by a few letters: a combobox above its list. */
export function Palette({ who, onClose, show }: LayerProps) {
  const [written, write] = useState('')
  const chosen = useRef<Entry>(null)
  const giveBack = useOpener(true)
  const entries = useEntries(who, show, written)
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
            giveBack(event)
            // What was chosen may put the focus elsewhere.
            chosen.current?.run()
          }}
          className="app fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-2xl border border-solid border-line bg-card text-ink shadow-2xl"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          <Combobox entries={entries} written={written} onWrite={write} onChoose={choose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type Props = { entries: readonly Entry[]; written: string; onWrite: (text: string) => void; onChoose: (entry: Entry) => void }

const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
}

function Combobox({ entries, written, onWrite, onChoose }: Props) {
  const id = useId()
  const [at, setAt] = useState(0)
  const active = entries[at]
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever line is active is scrolled to
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  function press(event: KeyboardEvent) {
    // Enter may end a letter of an input method, and nothing else.
    if (event.nativeEvent.isComposing) return
    const move = MOVES[event.key]
    if (move && entries.length > 0) setAt(move(at, entries.length))
    else if (event.key === 'Enter' && active) onChoose(active)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className="flex items-center gap-3 border-0 border-b border-solid border-line px-4">
        <Search aria-hidden className="size-4 text-soft" />
        <input
          value={written}
          onChange={({ target }) => {
            onWrite(target.value)
            setAt(0)
          }}
          onKeyDown={press}
          role="combobox"
          aria-label="Go to a screen or key, find a transaction or address, or do something"
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(id, at) : undefined}
          placeholder="Screen, key, action, transaction or address"
          autoComplete="off"
          spellCheck={false}
          className="h-13 min-w-0 grow border-0 bg-transparent outline-none placeholder:text-soft"
        />
        <Kbd className="max-sm:hidden">Esc</Kbd>
      </div>
      <div ref={list} id={id} role="listbox" aria-label="What can be gone to and done" className="min-h-0 overflow-y-auto p-2">
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={optionId(id, index)}
            entry={entry}
            active={index === at}
            grouped={written.trim() === ''}
            first={entry.group !== entries[index - 1]?.group}
            onPoint={() => setAt(index)}
            onChoose={() => onChoose(entry)}
          />
        ))}
      </div>
      {entries.length === 0 ? (
        <p role="status" className="m-0 px-4 pt-2 pb-6 text-center text-soft">
          Nothing is called so. A whole transaction hash or address is looked for in your settlements.
        </p>
      ) : null}
    </>
  )
}

const optionId = (list: string, index: number) => `${list}-${index}`

type OptionProps = {
  id: string
  entry: Entry
  active: boolean
  /** Whether the group stands above the first of it, or else beside each. */
  grouped: boolean
  first: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, entry: { icon: Icon, title, group, keys = [] }, active, grouped, first, onPoint, onChoose }: OptionProps) {
  return (
    <>
      {grouped && first ? (
        <div role="presentation" className="px-2.5 pt-2 pb-1 text-xs font-medium text-soft">
          {group}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus and the keys are the combobox's */}
      <div
        id={id}
        role="option"
        aria-selected={active}
        onPointerMove={active ? undefined : onPoint}
        onClick={onChoose}
        className={cx(
          'flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5',
          active ? 'bg-wash text-accent' : 'text-ink',
        )}
      >
        <Icon aria-hidden className="size-4" />
        <span className="min-w-0 grow truncate">{title}</span>
        {grouped ? null : <span className="text-xs whitespace-nowrap text-soft">{group}</span>}
        {/* Letters say nothing to those who listen to them among the names. */}
        <span aria-hidden className="flex gap-1 max-sm:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      </div>
    </>
  )
}
