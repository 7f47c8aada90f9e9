'use client'

import { Search as SearchIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { Found } from './contents'
import { find } from './find'
import './search.css'

const INDEX = '/docs/search.json'

type Index = { state: 'closed' | 'loading' } | { state: 'failed' } | { state: 'ready'; places: Found[] }

/** The search of the documentation. `/` or ⌘K opens it; its index loads then. */
export function DocsSearch({ label = 'Search' }: { label?: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [index, setIndex] = useState<Index>({ state: 'closed' })
  const [query, setQuery] = useState('')

  async function load(): Promise<void> {
    setIndex({ state: 'loading' })
    try {
      const response = await fetch(INDEX)
      if (!response.ok) throw new Error(`the search index answered ${response.status}`)
      setIndex({ state: 'ready', places: await response.json() })
    } catch {
      setIndex({ state: 'failed' })
    }
  }

  function open(): void {
    if (index.state !== 'ready' && index.state !== 'loading') void load()
    dialog.current?.showModal()
  }

  useSearchKey(open)
  const found = index.state === 'ready' ? find(index.places, query) : []
  return (
    <>
      <button type="button" className="docs-search-button" aria-haspopup="dialog" onClick={open}>
        <SearchIcon aria-hidden size={16} /> {label} <kbd aria-hidden>/</kbd>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is a shortcut; Escape closes it too */}
      <dialog
        ref={dialog}
        className="docs-search"
        aria-label="Search the documentation"
        onClick={({ target, currentTarget }) => (target === currentTarget ? currentTarget.close() : undefined)}
      >
        <Results query={query} onQuery={setQuery} found={found} onChoose={() => dialog.current?.close()} />
        <p className="docs-search-note" role="status">
          {index.state === 'failed' ? (
            <>
              The search could not be loaded.{' '}
              <button type="button" className="text-button" onClick={() => void load()}>
                Try again
              </button>
            </>
          ) : index.state === 'loading' ? (
            'Loading…'
          ) : query.trim() === '' ? (
            'Type a word, a path, a field or an error code.'
          ) : found.length === 0 ? (
            'No results. Try fewer or other words.'
          ) : (
            <>
              {found.length === 1 ? '1 result' : `${found.length} results`}
              <span className="docs-search-keys">. Use the arrow keys and Enter.</span>
            </>
          )}
        </p>
      </dialog>
    </>
  )
}

type ResultsProps = { query: string; onQuery: (query: string) => void; found: Found[]; onChoose: () => void }

/** The box and the list below it. The focus stays in the box; arrows move the active result. */
function Results({ query, onQuery, found, onChoose }: ResultsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const idOf = (at: number) => `${id}-${at}`

  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (event.key === 'Enter') list.current?.querySelectorAll('a')[active]?.click()
    if (to === undefined || found.length === 0) return
    event.preventDefault()
    const next = (to + found.length) % found.length
    setActive(next)
    list.current?.querySelectorAll('a')[next]?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <>
      <div className="docs-search-box">
        <SearchIcon aria-hidden size={18} />
        <input
          type="text"
          role="combobox"
          aria-label="Search the documentation"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? idOf(active) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search pages, fields and error codes"
          value={query}
          onChange={({ target }) => {
            onQuery(target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>Esc</kbd>
      </div>
      <div ref={list} role="listbox" id={`${id}-list`} aria-label="Results" className="docs-search-results">
        {found.map(({ title, page, href }, at) => (
          <a
            key={`${href} ${title}`}
            id={idOf(at)}
            role="option"
            aria-selected={at === active}
            tabIndex={-1}
            href={href}
            onClick={onChoose}
            onMouseMove={() => setActive(at)}
          >
            <span className="docs-search-title">{title}</span>
            <span className="docs-search-page">{page}</span>
          </a>
        ))}
      </div>
    </>
  )
}

/** Calls `open` on `/` outside a field, and on ⌘K or Ctrl+K anywhere. */
function useSearchKey(open: () => void): void {
  const handle = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const { target, key, metaKey, ctrlKey, altKey } = event
    const isTyping = target instanceof Element && target.closest('input, textarea, select') !== null
    const isSlash = key === '/' && !metaKey && !ctrlKey && !altKey && !isTyping
    // Autofill sends key events without a key.
    const isCommand = key?.toLowerCase() === 'k' && metaKey !== ctrlKey && !altKey
    if (!isSlash && !isCommand) return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => handle(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
