'use client'

import { useEffect, useState } from 'react'
import { TOOK } from './layout'

/** The time since it appeared. Hidden from screen readers, which get the final time. */
export function Elapsed() {
  const [milliseconds, setMilliseconds] = useState(0)
  useEffect(() => {
    const started = performance.now()
    const timer = setInterval(() => setMilliseconds(Math.floor((performance.now() - started) / 100) * 100), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <span aria-hidden className={TOOK}>
      {milliseconds.toLocaleString('en')} ms
    </span>
  )
}
