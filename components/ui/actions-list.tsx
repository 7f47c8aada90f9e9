'use client'

import * as Radix from '@radix-ui/react-dropdown-menu'
import { Fragment, useRef } from 'react'
import { cx } from './class-names'
import { leaveTo, PANEL } from './popover'

/** An action of a row. `danger` is for what cannot be undone. */
export type Action = { name: string; run: () => void; disabled?: boolean; danger?: boolean }

type Props = { button: HTMLElement; label: string; actions: readonly Action[]; onClose: () => void }

/** The open menu of a row's actions, at its button. */
export function ActionsList({ button, label, actions, onClose }: Props) {
  const entered = useRef(false)
  return (
    <Radix.Root open modal={false} onOpenChange={onClose}>
      {/* The menu's place only: the button itself is there before this part has loaded. */}
      <Radix.Trigger asChild>
        <span aria-hidden className="pointer-events-none absolute inset-0" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          aria-labelledby={undefined}
          loop
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={() => button.focus()}
          onInteractOutside={(event) => leaveTo(button, event)}
          // The key that opened the menu came before this part, which therefore takes it for a press.
          onFocus={({ currentTarget }) => {
            if (entered.current) return
            entered.current = true
            currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus()
          }}
          className={cx(PANEL, 'grid w-48 p-1')}
        >
          {actions.map(({ name, run, disabled = false, danger = false }) => (
            <Fragment key={name}>
              {danger ? <Radix.Separator className="my-1 h-px bg-line" /> : null}
              <Radix.Item
                disabled={disabled}
                onSelect={() => {
                  // A dialog that the action opens gives the focus back to it.
                  button.focus()
                  run()
                }}
                className={cx(
                  'flex h-9 cursor-pointer items-center rounded-lg px-3 hover:bg-code focus-visible:bg-code data-disabled:pointer-events-none data-disabled:opacity-60 max-sm:h-10',
                  danger && 'text-bad',
                )}
              >
                {name}
              </Radix.Item>
            </Fragment>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
