'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

const GAP = 4
const EDGE = 8

type Props = { text: string; over: HTMLElement; onClose: () => void }

/** A text above an element, or below it, whole in the window and above all layers. A key or a scroll closes it. */
export function TimeHint({ text, over, onClose }: Props) {
  const shown = useRef<HTMLSpanElement>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (shown.current) showAt(shown.current, over.getBoundingClientRect())
    const end = () => close()
    addEventListener('keydown', end, { capture: true })
    addEventListener('scroll', end, { capture: true, passive: true })
    return () => {
      removeEventListener('keydown', end, { capture: true })
      removeEventListener('scroll', end, { capture: true })
    }
  }, [over])
  return (
    <span
      ref={shown}
      popover="manual"
      aria-hidden
      data-time-hint
      className="pointer-events-none inset-auto m-0 rounded-md border-0 bg-ink px-2 py-0.5 font-sans text-xs font-normal whitespace-nowrap text-paper"
    >
      {text}
    </span>
  )
}

function showAt(hint: HTMLElement, { left, top, bottom }: DOMRect): void {
  hint.showPopover()
  const { offsetWidth: width, offsetHeight: height } = hint
  const above = top - height - GAP
  hint.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
  hint.style.top = `${above < EDGE ? bottom + GAP : above}px`
}
