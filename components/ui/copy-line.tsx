'use client'

import { Breaking } from './breaking'
import { Button } from './button'
import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

type Props = {
  name: string
  text: string
  /** The word of the button; by default Copy. */
  action?: string
}

/** A named text in full, with a visible copy button. On a phone it is an icon. */
export function CopyLine({ name, text, action = COPY_WORDS.idle }: Props) {
  const { state, copy } = useCopy(text)
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-sm wrap-anywhere text-soft">{name}</span>
      <div className="flex min-w-0 items-center justify-between gap-3 rounded-lg bg-code py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 text-sm wrap-anywhere select-all">
          <Breaking text={text} />
        </code>
        <Button
          size="small"
          onClick={copy}
          aria-label={state === 'copied' ? `${name} copied` : `${action} ${name}`}
          className="shrink-0 max-sm:size-10 max-sm:px-0"
        >
          <CopyIcon state={state} />
          <span className="max-sm:sr-only">{state === 'idle' ? action : COPY_WORDS[state]}</span>
        </Button>
      </div>
    </div>
  )
}
