'use client'

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { buttonClass } from './button'
import { cx } from './class-names'

type Props = { label: ReactNode; title: string; children: ReactNode; className?: string }

/** A button with a panel of choices below it. Escape, a click outside and a move of the focus close it. */
export function Menu({ label, title, children, className }: Props) {
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false)
    }
    const onEscape = (event: KeyboardEvent) => {
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
  return (
    <div ref={whole} className={cx('relative', className)}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={buttonClass({ size: 'small' })}
      >
        {label}
      </button>
      <fieldset
        id={id}
        aria-label={title}
        hidden={!open}
        className="absolute top-full right-0 z-20 m-0 mt-1.5 grid max-h-[70dvh] w-60 gap-4 overflow-y-auto rounded-xl border border-solid border-line bg-card p-4 shadow-xl [&[hidden]]:hidden"
      >
        {open ? children : null}
      </fieldset>
    </div>
  )
}
