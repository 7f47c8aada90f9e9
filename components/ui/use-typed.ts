'use client'

import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 300

type Options = {
  /** The text that applies now. */
  applied: string
  onApply: (text: string) => void
}

/** A text that applies without its outer spaces after a pause in typing, and at once by `apply`. */
export function useTyped({ applied, onApply }: Options) {
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
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])
  const apply = (written = text) => {
    clearTimeout(pause.current)
    const next = written.trim()
    setText(written)
    if (next === applied) return
    setSent(next)
    onApply(next)
  }
  // Only typing starts the pause: a text from outside must never come back as a change of the reader.
  const type = (written: string) => {
    setText(written)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => apply(written), PAUSE_MS)
  }
  return { text, setText: type, apply }
}
