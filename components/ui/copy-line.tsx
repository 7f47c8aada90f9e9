'use client'

import { Button } from './button'
import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

/** A part to fill in, such as `<your key>` or `YOUR_KEY`. It stays on one line. */
const PLACEHOLDER = /(<[^<>]+>|YOUR_[A-Z]+)/

type Props = {
  name: string
  text: string
  /** The word of the button; by default Copy. */
  action?: string
  onCopied?: () => void
}

/** A named text in full, with a visible copy button. */
export function CopyLine({ name, text, action = COPY_WORDS.idle, onCopied }: Props) {
  const { state, copy } = useCopy(text, onCopied)
  const [before, placeholder, after] = text.split(PLACEHOLDER)
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-[0.8125rem] text-soft">{name}</span>
      <div className="flex min-w-0 items-center justify-between gap-3 rounded-lg bg-code py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 text-[0.8125rem] wrap-anywhere select-all">
          {before}
          {placeholder ? <span className="whitespace-nowrap">{placeholder}</span> : null}
          {after}
        </code>
        <Button
          size="small"
          onClick={copy}
          aria-label={state === 'copied' ? `${name} copied` : `${action} ${name}`}
          className="shrink-0"
        >
          <CopyIcon state={state} />
          {state === 'idle' ? action : COPY_WORDS[state]}
        </Button>
      </div>
    </div>
  )
}
