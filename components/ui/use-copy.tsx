import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { notice } from './notice'

const SHOWN_MS = 2_000

type CopyState = 'idle' | 'copied' | 'failed'

/** The words of a copy control. */
export const COPY_WORDS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy' } as const satisfies Record<
  CopyState,
  string
>

/** Copies a text, and says for two seconds what came of it. */
export function useCopy(text: string | (() => string), onCopied?: () => void) {
  const [state, setState] = useState<CopyState>('idle')
  async function copy() {
    const copied = await writeToClipboard(typeof text === 'string' ? text : text())
    setState(copied ? 'copied' : 'failed')
    if (copied) onCopied?.()
    setTimeout(setState, SHOWN_MS, 'idle')
    return copied
  }
  return { state, copy }
}

/** The icon of a copy control. */
export function CopyIcon({ state }: { state: CopyState }) {
  const Icon = state === 'copied' ? Check : Copy
  return <Icon aria-hidden size={14} className={state === 'copied' ? 'text-accent' : undefined} />
}

/** Copies the ID of what is open or has the focus, and says so. Null: nothing has. */
export async function copyId(opens: string | null, idOf: (opens: string) => string = (one) => one): Promise<void> {
  if (opens === null) return notice.error('No row has the focus.', 'Press j to step to one, then c.')
  const id = idOf(opens)
  if (await writeToClipboard(id)) notice.success(`ID ${id} copied`)
  else notice.error('This browser offers no clipboard here.', 'Open the row and select its ID.')
}

// Browsers offer the clipboard only on https and localhost.
async function writeToClipboard(text: string): Promise<boolean> {
  if (!('clipboard' in navigator)) return false
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}
