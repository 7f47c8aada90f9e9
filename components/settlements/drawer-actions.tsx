'use client'

import { Check, ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { useState } from 'react'
import { writeToClipboard } from '../copy-button'
import { notice } from '../ui/notice'

const BUTTON =
  'grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink disabled:pointer-events-none disabled:opacity-40'

type Props = { previous: (() => void) | null; next: (() => void) | null }

/** The buttons in the head of the drawer: previous, next and copy link. */
export function DrawerActions({ previous, next }: Props) {
  return (
    <>
      <button
        type="button"
        className={BUTTON}
        aria-label="Previous settlement"
        aria-keyshortcuts="k"
        title="Previous (k)"
        disabled={!previous}
        onClick={() => previous?.()}
      >
        <ChevronUp aria-hidden className="size-4" />
      </button>
      <button
        type="button"
        className={BUTTON}
        aria-label="Next settlement"
        aria-keyshortcuts="j"
        title="Next (j)"
        disabled={!next}
        onClick={() => next?.()}
      >
        <ChevronDown aria-hidden className="size-4" />
      </button>
      <CopyLink />
    </>
  )
}

// The URL names the settlement.
function CopyLink() {
  const [copied, setCopied] = useState(false)
  async function copy() {
    if (!(await writeToClipboard(location.href)))
      return notice.error('This browser offers no clipboard here. Copy the address bar.')
    setCopied(true)
    setTimeout(setCopied, 1_600, false)
  }
  return (
    <button type="button" className={BUTTON} aria-label={copied ? 'Link copied' : 'Copy link'} title="Copy link" onClick={copy}>
      {copied ? <Check aria-hidden className="size-4 text-accent" /> : <Link2 aria-hidden className="size-4" />}
    </button>
  )
}
