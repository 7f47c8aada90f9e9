'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Action } from './actions-list'
import { later } from './later'
import { MENU_ICON } from './menu'

const load = () => import('./actions-list').then((loaded) => loaded.ActionsList)
// Loaded when a menu first opens.
const ActionsList = later(load)

/** The actions of a row behind a `⋯` button. `title` names the row. */
export function ActionsMenu({ title, actions }: { title: string; actions: readonly Action[] }) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const label = `Actions of ${title}`
  return (
    <div className="relative">
      <button
        ref={setButton}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={load}
        onClick={() => setOpen(!open)}
        className={MENU_ICON}
      >
        <Ellipsis aria-hidden className="size-4" />
      </button>
      {open && button ? <ActionsList button={button} label={label} actions={actions} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
