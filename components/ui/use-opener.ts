'use client'

import { useState } from 'react'

/** Returns an `onCloseAutoFocus` handler that moves the focus back to the element that opened the layer. */
export function useOpener(open: boolean): (event: Event) => void {
  const [opener, remember] = useState<Element | null>(null)
  if (open && opener === null) remember(document.activeElement)
  return (event) => {
    event.preventDefault()
    remember(null)
    if (opener instanceof HTMLElement) opener.focus()
  }
}
