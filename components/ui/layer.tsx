'use client'

import * as Radix from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from './class-names'
import { useOpener } from './use-opener'

/** The content of a dialog and how it closes. */
export type LayerProps = {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
  description?: string
  /** Keeps it open on Escape and on clicks outside, for content shown once. */
  firm?: boolean
  /** Hides other dialogs while it is open. They keep what was typed in them. */
  covers?: boolean
  /** Above its title, which then has no line below it. */
  lead?: ReactNode
  /** Buttons in its head. */
  actions?: ReactNode
  /** A key that is pressed in it. */
  onKey?: (event: KeyboardEvent) => void
  /** Gets the focus when it closes; without one, what had it before. */
  returnsTo?: () => HTMLElement | null
}

/** Where a layer is, and whether it gets the focus when it opens instead of its first control. */
export type LayerLook = { className: string; focusesItself?: boolean }

/** A layer above the page that traps the focus until it closes. */
export function Layer({
  title,
  open,
  onClose,
  children,
  description,
  firm = false,
  covers = false,
  lead,
  actions,
  onKey,
  returnsTo,
  focusesItself = false,
  className,
}: LayerProps & LayerLook) {
  const restoreFocus = useOpener(open, returnsTo)
  const marks = { 'data-layer': covers ? 'covers' : 'usual' }
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        {/* As high as the content: a layer above another one covers it. */}
        <Radix.Overlay
          {...marks}
          className={cx('overlay fixed inset-0 z-50', firm ? 'bg-black/20 backdrop-blur-sm' : 'bg-black/40')}
        />
        <Radix.Content
          {...marks}
          {...(focusesItself ? { onOpenAutoFocus: focusIt } : {})}
          onCloseAutoFocus={restoreFocus}
          onKeyDown={onKey}
          {...(firm ? { onEscapeKeyDown: stay, onInteractOutside: stay } : {})}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={cx('app fixed z-50 outline-none overflow-y-auto border bg-card text-ink shadow-2xl', className)}
        >
          <header
            className={cx(
              'sticky top-0 z-10 flex items-center justify-between gap-4 bg-card px-5',
              lead ? 'pt-5' : 'min-h-15 border-b py-3',
            )}
          >
            <span className="grid gap-4">
              {lead}
              <Radix.Title className={lead ? 'text-xl font-semibold tracking-tight' : 'font-semibold'}>{title}</Radix.Title>
            </span>
            <span className="flex items-center">
              {actions}
              {firm ? null : (
                <Radix.Close
                  className="grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink"
                  aria-label="Close"
                >
                  <X aria-hidden className="size-4" />
                </Radix.Close>
              )}
            </span>
          </header>
          {description ? <Radix.Description className="px-5 pt-4 text-soft">{description}</Radix.Description> : null}
          <div className={lead ? 'px-5 pt-2 pb-5' : 'p-5'}>{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

// Its title is read, and no control has a ring before a key is pressed.
function focusIt(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

const stay = (event: Event): void => event.preventDefault()
