'use client'

import { type PointerEvent, type ReactNode, useState } from 'react'
import { later } from './later'

// Loaded when a hint first shows.
const Popover = later(() => import('./popover').then((loaded) => loaded.Popover))

/** Words with an explanation: it shows on hover, on focus and on a touch. */
export function Hint({ text, children }: { text: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const hover = (event: PointerEvent, over: boolean) => {
    if (event.pointerType === 'mouse') setOpen(over)
  }
  return (
    <>
      <button
        ref={setButton}
        type="button"
        aria-description={text}
        onPointerEnter={(event) => hover(event, true)}
        onPointerLeave={(event) => hover(event, false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        className="cursor-help [text-align:inherit]"
      >
        {children}
      </button>
      {open && button ? (
        <Popover
          button={button}
          title={text}
          role="tooltip"
          align="center"
          onOpenAutoFocus={(event) => event.preventDefault()}
          onClose={() => setOpen(false)}
          className="pointer-events-none max-w-64 px-3 py-2 text-sm"
        >
          {text}
        </Popover>
      ) : null}
    </>
  )
}
