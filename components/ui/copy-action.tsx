import type { ComponentProps } from 'react'
import { Button } from './button'
import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

type Props = Omit<ComponentProps<typeof Button>, 'children' | 'onClick' | 'onCopy'> & {
  text: string | (() => string)
  children: string
  /** What it says without a clipboard, where the text is not beside it. */
  failed?: string
  onCopied?: () => void
}

/** A button that copies a text, in words, and says what came of it. */
export function CopyAction({ text, children, failed = COPY_WORDS.failed, onCopied, ...button }: Props) {
  const { state, copy } = useCopy(text, onCopied)
  const words = { idle: children, copied: COPY_WORDS.copied, failed }
  return (
    <Button {...button} onClick={() => void copy()}>
      <CopyIcon state={state} />
      <span aria-live="polite">{words[state]}</span>
    </Button>
  )
}
