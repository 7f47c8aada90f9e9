'use client'

import { useState } from 'react'

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text }: { text: string }) {
  const [label, setLabel] = useState('Copy')
  async function copy() {
    const copied = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Press Ctrl+C',
    )
    setLabel(copied)
    setTimeout(setLabel, 2_000, 'Copy')
  }
  return (
    <button type="button" className="copy" onClick={copy} aria-live="polite">
      {label}
    </button>
  )
}
