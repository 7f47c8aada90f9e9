'use client'

import { useEffect } from 'react'

/** Opens the collapsed part that the address points at, and scrolls there again: it may have moved meanwhile. */
export function OpenTarget() {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(location.hash.slice(1))
      if (!(target instanceof HTMLDetailsElement)) return
      target.open = true
      target.scrollIntoView()
    }
    open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return null
}
