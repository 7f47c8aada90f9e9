'use client'

import { type KeyboardEvent, type ReactNode, useId, useRef, useSyncExternalStore } from 'react'

/** The name under which the choice is stored. The first script of a page reads it before the first paint. */
const CODE_KEY = 'code'

const listeners = new Set<() => void>()

/** The reader's choice of language, on the root element and in the browser's storage. */
const chosenCode = {
  read: (): string | null => document.documentElement.dataset.code ?? null,
  choose(id: string): void {
    document.documentElement.dataset.code = id
    try {
      localStorage.setItem(CODE_KEY, id)
    } catch {
      // Storage is off: the choice holds until the page is left.
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

type LinkProps = { code: string; href: string; className?: string; children: ReactNode }

/** A link to programs, which chooses this language there. */
export function CodeLink({ code, href, className, children }: LinkProps) {
  return (
    <a href={href} className={className} onClick={() => chosenCode.choose(code)}>
      {children}
    </a>
  )
}

type Panel = { label: string; id: string; panel: ReactNode }

/** Tabs of programs. Style sheets show the chosen panel before scripts run, so nothing moves. */
export function CodeTabList({ title, panels }: { title: string; panels: readonly Panel[] }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const choice = useSyncExternalStore(chosenCode.subscribe, chosenCode.read, () => null)
  const current = panels.find((one) => one.id === choice) ?? panels[0]

  function move(event: KeyboardEvent): void {
    const at = current ? panels.indexOf(current) : 0
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: panels.length - 1 }[event.key]
    const next = to === undefined ? undefined : panels[(to + panels.length) % panels.length]
    if (!next) return
    event.preventDefault()
    chosenCode.choose(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }

  return (
    <div className="code-tabs">
      <div ref={list} role="tablist" aria-label={title} className="tab-list">
        {panels.map((one) => (
          <button
            key={one.id}
            type="button"
            role="tab"
            id={`${id}-${one.id}`}
            data-tab={one.id}
            aria-selected={one === current}
            aria-controls={`${id}-${one.id}-panel`}
            tabIndex={one === current ? 0 : -1}
            onClick={() => chosenCode.choose(one.id)}
            onKeyDown={move}
          >
            {one.label}
          </button>
        ))}
      </div>
      {panels.map((one) => (
        <div key={one.id} role="tabpanel" id={`${id}-${one.id}-panel`} aria-labelledby={`${id}-${one.id}`} data-panel={one.id}>
          {one.panel}
        </div>
      ))}
    </div>
  )
}
