'use client'

import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

/** A long text, shown shortened; a click copies all of it. */
export function Copyable({ text, shown, label }: { text: string; shown?: string; label: string }) {
  const { state, copy } = useCopy(text)
  return (
    <button
      type="button"
      onClick={copy}
      title={text}
      aria-label={state === 'copied' ? `${label} copied` : `Copy ${label} ${text}`}
      className="group relative inline-flex max-w-full items-center align-middle gap-1.5 rounded font-mono text-[0.8125rem] hover:text-accent"
    >
      <span className={shown === text ? 'text-left break-all' : 'truncate'}>{shown ?? shortened(text)}</span>
      <span className="grid shrink-0 text-soft opacity-75 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        <CopyIcon state={state} />
      </span>
      {state === 'idle' ? null : (
        // Over the text, so that nothing moves.
        <span
          aria-hidden
          className="absolute top-1/2 right-0 -translate-y-1/2 rounded-md bg-ink px-2 py-0.5 font-sans text-xs text-paper"
        >
          {COPY_WORDS[state]}
        </span>
      )}
    </button>
  )
}

/** The first and last characters of a long address or hash. */
export function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
