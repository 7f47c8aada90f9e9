'use client'

import { type ReactNode, useLayoutEffect, useState } from 'react'
import { cx } from './class-names'

/**
 * A box of a table that may be wider than it. Only then it scrolls sideways: what scrolls would hold a head that should stay at the top of the
 * window.
 */
export function Wide({ className, children }: { className: string; children: ReactNode }) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const content = box?.firstElementChild
    if (!box || !content) return
    const observer = new ResizeObserver(() => setScrolls(content.scrollWidth > box.clientWidth))
    observer.observe(box)
    observer.observe(content)
    return () => observer.disconnect()
  }, [box])
  return (
    <div
      ref={setBox}
      className={cx('rounded-[inherit]', scrolls ? 'overflow-x-auto [&_thead]:static' : 'overflow-clip', className)}
    >
      {children}
    </div>
  )
}
