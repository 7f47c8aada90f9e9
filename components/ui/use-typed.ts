'use client'

import { useEffect, useEffectEvent, useState } from 'react'

const PAUSE_MS = 300

type Options = {
  /** The text that applies now. */
  applied: string
  /** Whether a text may apply; any may if not given. */
  accepts?: ((text: string) => boolean) | undefined
  onApply: (text: string) => void
}

/** A text that applies without its outer spaces after a pause in typing, and at once by `apply`. */
export function useTyped({ applied, accepts = () => true, onApply }: Options) {
  const [text, setText] = useState(applied)
  const [given, setGiven] = useState(applied)
  const [sent, setSent] = useState(applied)
  // A link or a cleared filter changes it from outside. Its own change comes back too, maybe after the next key.
  if (given !== applied) {
    setGiven(applied)
    if (applied !== sent) {
      setText(applied)
      setSent(applied)
    }
  }
  const apply = (written = text) => {
    const next = written.trim()
    setText(written)
    if (next === applied || !accepts(next)) return
    setSent(next)
    onApply(next)
  }
  // The timer of an earlier text may end between a change from outside and the effect that stops it: it must not undo that change.
  const pause = useEffectEvent((typed: string) => {
    if (typed === text) apply()
  })
  useEffect(() => {
    const timer = setTimeout(() => pause(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, setText, apply }
}
