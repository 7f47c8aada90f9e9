'use client'

import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useEarlyText } from '../../../ui/use-early-text'

/** Filters server-rendered elements by their `data-words`. A group opens while a filter finds something in it. */
export function ReasonFilter({ count, children }: { count: number; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState(count)

  function filter(text: string): void {
    setQuery(text)
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const isOpen = words.length > 0
    let found = 0
    for (const group of list.current?.querySelectorAll('details') ?? []) {
      const entries = [...group.querySelectorAll<HTMLElement>('[data-words]')]
      for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words?.includes(word))
      const left = entries.filter(({ hidden }) => !hidden).length
      group.hidden = left === 0
      group.open = isOpen && left > 0
      found += left
    }
    setShown(found)
  }

  useEarlyText(box, filter)

  // A link to a reason shows it, also if the filter hides it.
  const reveal = useEffectEvent((): void => {
    const target = document.getElementById(location.hash.slice(1))
    if (target?.closest('[hidden]') && list.current?.contains(target)) filter('')
  })
  useEffect(() => {
    const listen = () => reveal()
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])

  return (
    <div className="grid gap-[0.4rem]">
      <label className="font-semibold" htmlFor={id}>
        Find a reason
      </label>
      <div className="relative max-w-104">
        <Search
          className="pointer-events-none absolute top-1/2 left-[0.85rem] -translate-y-1/2 text-soft"
          aria-hidden
          size={16}
        />
        <input
          ref={box}
          id={id}
          className="h-11 w-full rounded-[10px] border bg-card pr-[0.8rem] pl-[2.4rem]"
          type="search"
          autoComplete="off"
          spellCheck={false}
          placeholder="balance, 429, signature…"
          aria-describedby={`${id}-count`}
          value={query}
          onChange={({ target }) => filter(target.value)}
        />
      </div>
      <p className="text-[0.92rem] text-soft" id={`${id}-count`} aria-live="polite">
        {shown === count ? `${count} reasons` : `${shown} of ${count} reasons`}
      </p>
      <div ref={list} data-filtered={query.trim() === '' ? undefined : ''}>
        {children}
      </div>
      {shown === 0 ? (
        <p className="text-soft">
          No reason has these words.{' '}
          <button type="button" className="text-button" onClick={() => filter('')}>
            Show all reasons
          </button>
        </p>
      ) : null}
    </div>
  )
}
