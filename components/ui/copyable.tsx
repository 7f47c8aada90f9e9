'use client'

import { Breaking } from './breaking'
import { cx } from './class-names'
import { shortened } from './shortened'
import { COPY_WORDS, CopyIcon, useCopy } from './use-copy'

type Props = {
  text: string
  shown?: string
  /** What a phone shows of a text that is shown whole. */
  onPhone?: string
  label: string
  /** Takes all room, with its icon at the right edge. */
  fill?: boolean
  /** Whether what it shows is words instead of the text. */
  inWords?: boolean
}

/** A long text, shown shortened; a click copies all of it. */
export function Copyable({ text, shown, onPhone = text, label, fill = false, inWords = false }: Props) {
  const { state, copy } = useCopy(text)
  return (
    <button
      type="button"
      onClick={copy}
      title={text}
      aria-label={state === 'copied' ? `${label} copied` : `Copy ${label} ${text}`}
      className={cx(
        'group relative max-w-full gap-1.5 rounded align-middle text-sm hover:text-accent',
        inWords ? 'text-accent underline' : 'font-mono',
        fill ? 'flex w-full items-start justify-between' : 'inline-flex items-center',
      )}
    >
      {shown === text ? (
        <span className="text-left wrap-anywhere">
          <span className={cx(onPhone !== text && 'max-sm:not-print:hidden')}>
            <Breaking text={text} />
          </span>
          {onPhone === text ? null : <span className="sm:hidden print:hidden">{onPhone}</span>}
        </span>
      ) : (
        <span className="truncate">{shown ?? shortened(text)}</span>
      )}
      <span
        className={cx(
          'grid shrink-0 text-soft opacity-75 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100',
          fill && 'mt-0.75',
        )}
      >
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

/** The boxes of a text that loses its middle where room is short: `end` characters stay. Hidden from screen readers. */
export function CutInMiddle({ text, end }: { text: string; end: number }) {
  const cut = Math.max(0, text.length - end)
  return (
    <>
      {/* An empty box would be the line that its neighbors align with. */}
      {cut === 0 ? null : (
        <span aria-hidden className="overflow-hidden text-ellipsis whitespace-pre">
          {text.slice(0, cut)}
        </span>
      )}
      <span aria-hidden className="shrink-0 whitespace-pre">
        {text.slice(cut)}
      </span>
    </>
  )
}
