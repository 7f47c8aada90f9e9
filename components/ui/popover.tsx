'use client'

import * as Radix from '@radix-ui/react-popover'
import { type ComponentProps, useRef } from 'react'
import { cx } from './class-names'

/** The classes of a panel at a button. */
export const PANEL = 'app z-20 panel bg-raised text-ink shadow-xl outline-none'

type Taken = 'collisionPadding' | 'align' | 'alignOffset' | 'sideOffset' | 'onOpenAutoFocus' | 'className' | 'children'

type Props = Pick<ComponentProps<typeof Radix.Content>, Taken> & {
  /** What opens it, and gets the focus back. */
  button: HTMLElement
  title: string
  role: 'dialog' | 'group' | 'tooltip'
  onClose: () => void
}

/** An open panel at a button, where the window has space for it. Escape, a click outside and a move of the focus close it. */
export function Popover({ button, title, onClose, className, ...content }: Props) {
  const place = useRef(button)
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Anchor virtualRef={place} />
      <Radix.Portal>
        <Radix.Content
          aria-label={title}
          sideOffset={6}
          collisionPadding={8}
          hideWhenDetached
          {...content}
          onEscapeKeyDown={() => button.focus()}
          onInteractOutside={(event) => leaveTo(button, event)}
          className={cx(PANEL, className)}
        />
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Leaves a press of the button to the button itself, which closes the panel: closed before, it would open again. */
export function leaveTo(button: HTMLElement, event: Event): void {
  if (event.target instanceof Node && button.contains(event.target)) event.preventDefault()
}
