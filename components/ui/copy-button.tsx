'use client'

import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

/** Copies a text and confirms it. Until then it shows an icon, with its name in the caption of a code block. */
export function CopyButton({ text }: { text: string }) {
  const { state, copy } = useCopy(text)
  return (
    <button type="button" className="copy" data-state={state} title={COPY_WORDS.idle} onClick={copy}>
      <span aria-live="polite">{COPY_WORDS[state]}</span>
      <CopyIcon state={state} />
    </button>
  )
}
