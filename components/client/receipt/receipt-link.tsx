'use client'

import { Button } from '../../ui/button'
import { CopyIcon, useCopy } from '../../ui/use-copy'

const WORDS = { idle: 'Copy link', copied: 'Copied', failed: 'No clipboard here' } as const

/** Copies the address of a receipt's page. */
export function ReceiptLink({ url }: { url: string }) {
  const { state, copy } = useCopy(url)
  return (
    <Button
      size="small"
      title={url}
      aria-label={state === 'idle' ? 'Copy link to the receipt' : undefined}
      onClick={() => void copy()}
    >
      <CopyIcon state={state} />
      <span aria-live="polite">{WORDS[state]}</span>
    </Button>
  )
}
