'use client'

import { Button } from '../../ui/button'
import { CopyIcon, useCopy } from '../../ui/use-copy'

const WORDS = { idle: 'Copy public link', copied: 'Copied', failed: 'No clipboard here' } as const

/** Copies the address of a receipt's page. */
export function ReceiptLink({ url }: { url: string }) {
  const { state, copy } = useCopy(url)
  return (
    <Button size="small" title={url} onClick={() => void copy()}>
      <CopyIcon state={state} />
      <span aria-live="polite">{WORDS[state]}</span>
    </Button>
  )
}
