'use client'

import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'

/** Filters server-rendered elements by their `data-words`. */
export function ReasonFilter({ count, children }: { count: number; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [shown, setShown] = useState(count)

  function filter({ currentTarget }: FormEvent<HTMLInputElement>) {
    const words = currentTarget.value.toLowerCase().split(/\s+/).filter(Boolean)
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[data-words]') ?? [])]
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words?.includes(word))
    setShown(entries.filter(({ hidden }) => !hidden).length)
  }

  return (
    <div className="filter">
      <label htmlFor={id}>Find a reason</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="balance, 429, signature…"
        aria-describedby={`${id}-count`}
        onInput={filter}
      />
      <p className="muted small" id={`${id}-count`} aria-live="polite">
        {shown === count ? `${count} reasons` : `${shown} of ${count} reasons`}
      </p>
      <div ref={list}>{children}</div>
    </div>
  )
}
