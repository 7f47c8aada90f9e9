'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { writeToClipboard } from '../copy-button'

/** A long text, shown shortened; a click copies all of it. */
export function Copyable({ text, shown, label }: { text: string; shown?: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  async function copy() {
    const copied = await writeToClipboard(text)
    setState(copied ? 'copied' : 'failed')
    setTimeout(setState, 1_600, 'idle')
  }
  return (
    <button
      type="button"
      onClick={copy}
      title={text}
      aria-label={state === 'copied' ? `${label} copied` : `Copy ${label} ${text}`}
      className="group inline-flex max-w-full items-center gap-1.5 rounded font-mono text-[0.8125rem] hover:text-accent"
    >
      <span className={shown === text ? 'text-left break-all' : 'truncate'}>
        {state === 'failed' ? 'Select and copy' : (shown ?? shortened(text))}
      </span>
      {state === 'copied' ? (
        <Check aria-hidden className="size-3.5 text-accent" />
      ) : (
        <Copy
          aria-hidden
          className="size-3.5 text-soft opacity-60 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
        />
      )}
    </button>
  )
}

/** The first and last characters of a long address or hash. */
export function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
