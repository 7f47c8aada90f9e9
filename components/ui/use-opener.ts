'use client'

import { useState } from 'react'

/** Returns an `onCloseAutoFocus` handler: the focus returns to what opened the layer, or to what `instead` finds. */
export function useOpener(open: boolean, instead?: () => HTMLElement | null): (event: Event) => void {
  const [opener, setOpener] = useState<Element | null>(null)
  if (open && opener === null) setOpener(document.activeElement)
  return (event) => {
    event.preventDefault()
    setOpener(null)
    const next = instead?.() ?? opener
    if (next instanceof HTMLElement) next.focus()
  }
}
