'use client'

import { Check, ChevronDown, ChevronUp, Link2 } from 'lucide-react'
import { singleKeys } from './commands'
import { Kbd } from './kbd'
import { notice } from './notice'
import { useCopy } from './use-copy'

const BUTTON =
  'flex h-9 min-w-9 items-center justify-center gap-1 rounded-lg px-1.5 text-soft hover:bg-code hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-60'

type Props = {
  /** What the list has: "settlement". */
  what: string
  previous: (() => void) | null
  next: (() => void) | null
}

/** The buttons in the head of the drawer: previous, next and copy link. At an end they keep the focus, and with it the keys. */
export function DrawerActions({ what, previous, next }: Props) {
  return (
    <>
      <button
        type="button"
        className={BUTTON}
        aria-label={`Previous ${what}`}
        aria-keyshortcuts="k"
        title="Previous (k)"
        aria-disabled={!previous}
        onClick={() => previous?.()}
      >
        <ChevronUp aria-hidden className="size-4" /> <Hint>k</Hint>
      </button>
      <button
        type="button"
        className={BUTTON}
        aria-label={`Next ${what}`}
        aria-keyshortcuts="j"
        title="Next (j)"
        aria-disabled={!next}
        onClick={() => next?.()}
      >
        <ChevronDown aria-hidden className="size-4" /> <Hint>j</Hint>
      </button>
      <CopyLink />
    </>
  )
}

// A phone or a tablet has no keys.
function Hint({ children }: { children: string }) {
  return singleKeys.areOn() ? <Kbd className="max-lg:hidden pointer-coarse:hidden">{children}</Kbd> : null
}

// The URL names the settlement.
function CopyLink() {
  const { state, copy } = useCopy(() => location.href)
  const copied = state === 'copied'
  async function onClick() {
    if (!(await copy())) notice.error('This browser offers no clipboard here. Copy the address bar.')
  }
  return (
    <button
      type="button"
      className={BUTTON}
      aria-label={copied ? 'Link copied' : 'Copy link'}
      title="Copy link"
      onClick={onClick}
    >
      {copied ? <Check aria-hidden className="size-4 text-accent" /> : <Link2 aria-hidden className="size-4" />}
    </button>
  )
}
