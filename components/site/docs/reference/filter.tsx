'use client'

import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useEarlyText } from '../../../ui/use-early-text'

type Props = {
  /** What it finds: "reason". */
  what: string
  placeholder: string
  count: number
  children: ReactNode
}

/** Filters server-rendered elements by their `data-words`. A group, `data-group`, shows while something in it does; a closed one opens. */
export function WordFilter({ what, placeholder, count, children }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState(count)

  function filter(text: string): void {
    setQuery(text)
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const isOpen = words.length > 0
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[data-words]') ?? [])]
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words?.includes(word))
    for (const group of list.current?.querySelectorAll<HTMLElement>('[data-group]') ?? []) {
      group.hidden = group.querySelector('[data-words]:not([hidden])') === null
      if (group.matches('details')) group.toggleAttribute('open', isOpen && !group.hidden)
    }
    setShown(entries.filter(({ hidden }) => !hidden).length)
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
    <div className="grid gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <label className="font-semibold" htmlFor={id}>
          Find a {what}
        </label>
        <p className="text-[0.92rem] text-soft tabular-nums" id={`${id}-count`} aria-live="polite">
          {shown === count ? `${count} ${what}s` : `${shown} of ${count} ${what}s`}
        </p>
      </div>
      <div className="relative">
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
          placeholder={placeholder}
          aria-describedby={`${id}-count`}
          value={query}
          onChange={({ target }) => filter(target.value)}
        />
      </div>
      <div ref={list} data-filtered={query.trim() === '' ? undefined : ''}>
        {children}
      </div>
      {shown === 0 ? (
        <p className="text-soft">
          No {what} has these words.{' '}
          <button type="button" className="text-button" onClick={() => filter('')}>
            Show all {what}s
          </button>
        </p>
      ) : null}
    </div>
  )
}
