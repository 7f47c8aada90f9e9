'use client'

import { type ReactNode, useState } from 'react'
import { buttonClass } from './button'
import { cx } from './class-names'
import { later } from './later'

const load = () => import('./popover').then((loaded) => loaded.Popover)
// Loaded when a menu first opens.
const Popover = later(load)

/** The classes of a button that is only an icon. */
export const MENU_ICON = cx(buttonClass({ look: 'quiet', size: 'icon' }), 'max-sm:size-10')

type Props = {
  label: ReactNode
  title: string
  /** Its choices; a function gets what closes it. */
  children: ReactNode | ((close: () => void) => ReactNode)
  className?: string
  /** Without a border, as the actions of a row. */
  icon?: boolean
}

/** A button with a panel of choices below it. */
export function Menu({ label, title, children, className, icon = false }: Props) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  return (
    <div className={className}>
      <button
        ref={setButton}
        type="button"
        aria-expanded={open}
        onPointerEnter={load}
        onClick={() => setOpen(!open)}
        className={icon ? MENU_ICON : buttonClass({ size: 'small' })}
      >
        {label}
      </button>
      {open && button ? (
        <Popover
          button={button}
          title={title}
          role="group"
          align="end"
          onOpenAutoFocus={focusPanel}
          onClose={() => setOpen(false)}
          className="grid max-h-[70dvh] w-72 gap-4 overflow-y-auto p-4"
        >
          {typeof children === 'function' ? children(() => setOpen(false)) : children}
        </Popover>
      ) : null}
    </div>
  )
}

// No choice has a ring before a key is pressed.
function focusPanel(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
