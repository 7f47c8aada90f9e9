'use client'

import { Ellipsis } from 'lucide-react'
import { Fragment, type KeyboardEvent, useEffect, useRef } from 'react'
import { cx } from './class-names'
import { MENU_ICON, MENU_PANEL, useOpening } from './menu'

/** An action of a row. `danger` is for what cannot be undone. */
export type Action = { name: string; run: () => void; disabled?: boolean; danger?: boolean }

/** The actions of a row behind a `⋯` button. Arrow keys, Home and End move in it. `title` names the row. */
export function ActionsMenu({ title, actions }: { title: string; actions: readonly Action[] }) {
  const { open, setOpen, whole, button } = useOpening()
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([disabled])') ?? [])]
  useEffect(() => {
    if (open) list.current?.querySelector<HTMLElement>('[role=menuitem]:not([disabled])')?.focus()
  }, [open])
  function onKeyDown(event: KeyboardEvent) {
    const all = items()
    const to = nextPlace(
      event.key,
      all.findIndex((one) => one.matches(':focus')),
      all.length,
    )
    if (to === null) return
    event.preventDefault()
    all[to]?.focus()
  }
  return (
    <div ref={whole} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={`Actions of ${title}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={MENU_ICON}
      >
        <Ellipsis aria-hidden className="size-4" />
      </button>
      {open ? (
        <div
          ref={list}
          role="menu"
          aria-label={`Actions of ${title}`}
          onKeyDown={onKeyDown}
          className={cx(MENU_PANEL, 'grid w-48 p-1')}
        >
          {actions.map(({ name, run, disabled = false, danger = false }) => (
            <Fragment key={name}>
              {danger ? <hr className="my-1 border-t" /> : null}
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                disabled={disabled}
                onClick={() => {
                  setOpen(false)
                  // A dialog that the action opens gives the focus back to it.
                  button.current?.focus()
                  run()
                }}
                className={cx(
                  'flex h-9 items-center rounded-lg px-3 text-left hover:bg-code focus-visible:bg-code disabled:opacity-45 max-sm:h-10',
                  danger && 'text-bad',
                )}
              >
                {name}
              </button>
            </Fragment>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Where a key moves the focus in a list of so many; null for other keys. */
export function nextPlace(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return (at <= 0 ? count : at) - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
