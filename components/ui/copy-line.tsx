'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { writeToClipboard } from '../copy-button'
import { Button } from './button'

const SHOWN_MS = 1_600

type Props = { name: string; text: string; onCopied?: () => void }

/** A named text in full, with a visible copy button. */
export function CopyLine({ name, text, onCopied }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  async function copy() {
    const copied = await writeToClipboard(text)
    setState(copied ? 'copied' : 'failed')
    if (copied) onCopied?.()
    setTimeout(setState, SHOWN_MS, 'idle')
  }
  return (
    <div className="grid gap-1">
      <span className="text-[0.8125rem] text-soft">{name}</span>
      <div className="flex min-w-0 items-center justify-between gap-3 rounded-lg bg-code py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 text-[0.8125rem] wrap-anywhere select-all">{text}</code>
        <Button
          size="small"
          onClick={copy}
          aria-label={state === 'copied' ? `${name} copied` : `Copy ${name}`}
          className="shrink-0"
        >
          {state === 'copied' ? <Check aria-hidden className="size-4 text-accent" /> : <Copy aria-hidden className="size-4" />}
          {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select it' : 'Copy'}
        </Button>
      </div>
    </div>
  )
}
