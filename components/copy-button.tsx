'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

const LABELS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy' } as const
const SHOWN_MS = 2_000

/** Copies a text and confirms it. An icon until then; its name is for screen readers. */
export function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<keyof typeof LABELS>('idle')
  const Icon = state === 'copied' ? Check : Copy
  async function copy() {
    setState((await writeToClipboard(text)) ? 'copied' : 'failed')
    setTimeout(setState, SHOWN_MS, 'idle')
  }
  return (
    <button type="button" className="copy" data-state={state} title={LABELS.idle} onClick={copy}>
      <span aria-live="polite">{LABELS[state]}</span>
      <Icon aria-hidden size={16} />
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
