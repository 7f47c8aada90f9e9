'use client'

import { useEffect } from 'react'

/** Opens the collapsed part that the address points at or into, and scrolls there. Where the browser did so, its reader may have moved on. */
export function OpenTarget() {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(location.hash.slice(1))
      const part = target?.closest('details')
      if (!target || !part || part.open) return
      part.open = true
      target.scrollIntoView()
    }
    open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return null
}
