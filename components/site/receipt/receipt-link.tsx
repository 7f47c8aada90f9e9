'use client'

import { Button } from '../../ui/button'
import { COPY_WORDS, CopyIcon, useCopy } from '../../ui/use-copy'

/** Copies the address of a receipt's page. */
export function ReceiptLink({ url }: { url: string }) {
  const { state, copy } = useCopy(url)
  return (
    <Button size="small" onClick={() => void copy()}>
      <CopyIcon state={state} />
      <span aria-live="polite">{state === 'idle' ? 'Copy link' : COPY_WORDS[state]}</span>
    </Button>
  )
}
