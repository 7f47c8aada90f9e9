'use client'

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { buttonClass } from './button'
import { cx } from './class-names'

/** The classes of the panel below a button. */
export const MENU_PANEL = 'absolute top-full right-0 z-20 mt-1.5 panel shadow-xl'
/** The classes of a button that is only an icon. */
export const MENU_ICON = cx(buttonClass({ look: 'quiet', size: 'icon' }), 'max-sm:size-10')

type Props = {
  label: ReactNode
  title: string
  children: ReactNode
  className?: string
  /** Without a border, as the actions of a row. */
  icon?: boolean
}

/** A button with a panel of choices below it. Escape, a click outside and a move of the focus close it. */
export function Menu({ label, title, children, className, icon = false }: Props) {
  const { open, setOpen, whole, button } = useOpening()
  const id = useId()
  return (
    <div ref={whole} className={cx('relative', className)}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={icon ? MENU_ICON : buttonClass({ size: 'small' })}
      >
        {label}
      </button>
      <fieldset
        id={id}
        aria-label={title}
        hidden={!open}
        className={cx(MENU_PANEL, 'grid max-h-[70dvh] w-60 gap-4 overflow-y-auto p-4')}
      >
        {open ? children : null}
      </fieldset>
    </div>
  )
}

/** Whether a panel is open. Escape, a click outside and a move of the focus close it. */
export function useOpening() {
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false)
    }
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    addEventListener('keydown', onEscape)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
      removeEventListener('keydown', onEscape)
    }
  }, [open])
  return { open, setOpen, whole, button }
}
