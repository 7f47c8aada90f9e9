'use client'

import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { isSearchKey, isTyping } from '../../ui/commands'
import { Kbd } from '../../ui/kbd'
import { later } from '../../ui/later'
import type { Index } from './places'

// Loaded when it first opens, as its index.
const Places = later(() => import('./places').then((loaded) => loaded.Places))

/** The search of the documentation. `/` or ⌘K opens it, with `words` in its box. */
export function DocsSearch({ label = 'Search', words = '' }: { label?: string; words?: string }) {
  const [open, setOpen] = useState(false)
  const [index, setIndex] = useState<Index>({ state: 'closed' })
  const [query, setQuery] = useState(words)

  async function load(): Promise<void> {
    setIndex({ state: 'loading' })
    try {
      const response = await fetch('/docs/search.json')
      if (!response.ok) throw new Error(`the search index answered ${response.status}`)
      setIndex({ state: 'ready', places: await response.json() })
    } catch {
      setIndex({ state: 'failed' })
    }
  }

  function show(): void {
    if (index.state !== 'ready' && index.state !== 'loading') void load()
    setOpen(true)
  }

  useSearchKey(show)
  return (
    <>
      <button type="button" className="docs-search-button" aria-haspopup="dialog" onClick={show}>
        <Search aria-hidden size={16} /> <span className="truncate leading-[1.4] phone:in-[.docs-bar]:sr-only">{label}</span>
        <span aria-hidden className="ml-auto in-[.docs_main]:hidden phone:hidden">
          <Kbd>/</Kbd>
        </span>
      </button>
      {open ? <Places index={index} load={load} query={query} onQuery={setQuery} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Calls `open` on `/` outside a field, and on ⌘K or Ctrl+K anywhere. */
function useSearchKey(open: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key, metaKey, ctrlKey, altKey } = event
    // Autofill sends key events without a key. Of two searches on a page, the first opens.
    if (key === undefined || event.defaultPrevented) return
    const isSlash = key === '/' && !metaKey && !ctrlKey && !altKey && !isTyping(target)
    if (!isSlash && !isSearchKey(event)) return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
