'use client'

import { useState } from 'react'

/** Copies a text and confirms it. */
export function CopyButton({ text }: { text: string }) {
  const [label, setLabel] = useState('Copy')
  async function copy() {
    setLabel((await writeToClipboard(text)) ? 'Copied' : 'Select and copy')
    setTimeout(setLabel, 2_000, 'Copy')
  }
  return (
    <button type="button" className="copy" onClick={copy} aria-live="polite">
      {label}
    </button>
  )
}

/** Whether the text was copied; browsers offer the clipboard only on https and localhost. */
export async function writeToClipboard(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}
