'use client'

import { useState } from 'react'

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text }: { text: string }) {
  const [label, setLabel] = useState('Copy')
  async function copy() {
    const copied = await writeToClipboard(text).then(
      () => 'Copied',
      () => 'Select and copy',
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

// Browsers offer the clipboard on https and localhost only.
async function writeToClipboard(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard')
  await navigator.clipboard.writeText(text)
}
