'use client'

import type { LucideIcon } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'

/**
 * An action of the current screen, run by its key or from the palette (if it has an icon). `repeats` while the key is held. One that
 * `switches` the mode of all screens is never the first that a palette offers.
 */
type Command = { title: string; key?: string; icon?: LucideIcon; repeats?: true; switches?: true; run: () => void }

type Registered = { current: readonly Command[] }

// One entry for each mounted component.
const registry = new Set<Registered>()

/** Registers commands while the component is mounted, from the moment it shows. */
export function useCommands(commands: readonly Command[]): void {
  const registered = useRef(commands)
  useLayoutEffect(() => {
    registered.current = commands
  })
  useLayoutEffect(() => {
    registry.add(registered)
    return () => void registry.delete(registered)
  }, [])
}

/** The commands of the current screen, oldest first. */
export function commandsNow(): Command[] {
  return [...registry].flatMap(({ current }) => current)
}

/** The command of a pressed key. A held key runs most commands once only. */
export function commandFor(
  { key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>,
  commands: readonly Command[],
): Command | undefined {
  return commands.find((one) => one.key === key && (one.repeats || !repeat))
}

/** Whether a key is ⌘K or Ctrl+K, which open a search. */
export const isSearchKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && metaKey !== ctrlKey && !altKey && !shiftKey

/** Whether keys write into what has the focus. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

const NAME = 'single-keys'

/** Whether single-key shortcuts are on in this browser; users can turn them off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: (): boolean => localStorage.getItem(NAME) !== 'off',
  turn: (on: boolean): void => (on ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, 'off')),
}
