'use client'

import { useState } from 'react'

/** What had the focus before a layer was opened gets it back by what is returned, for `onCloseAutoFocus`: nothing else knows who opened it. */
export function useOpener(open: boolean): (event: Event) => void {
  const [opener, remember] = useState<Element | null>(null)
  if (open && opener === null) remember(document.activeElement)
  return (event) => {
    event.preventDefault()
    remember(null)
    if (opener instanceof HTMLElement) opener.focus()
  }
}
