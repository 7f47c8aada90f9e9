'use client'

import { cx } from './class-names'
import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

/** Copies a text and confirms it. Until then it shows an icon, with its name in the caption of a code block. */
export function CopyButton({ text, className }: { text: string; className?: string | undefined }) {
  const { state, copy } = useCopy(text)
  return (
    <button type="button" className={cx('copy', className)} data-state={state} title={COPY_WORDS.idle} onClick={copy}>
      {/* Its middle is that of its capitals, as of the icon. */}
      <span aria-live="polite" className="[text-box:trim-both_cap_alphabetic]">
        {COPY_WORDS[state]}
      </span>
      <CopyIcon state={state} />
    </button>
  )
}
