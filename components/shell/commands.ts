'use client'

import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

/**
 * Something that the screen in front can do: by its key (as `KeyboardEvent.key` has it), in the palette (where it has an icon), or both.
 * `repeats`: again and again while the key is held down.
 */
export type Command = { title: string; key?: string; icon?: LucideIcon; repeats?: true; run: () => void }

type Offered = { current: readonly Command[] }

// Each mounted component has one entry, and takes it along.
const offers = new Set<Offered>()

/** Offers commands for as long as the component is on the screen: to its keys, to the palette and to the list of keys. */
export function useCommands(commands: readonly Command[]): void {
  const offered = useRef(commands)
  useEffect(() => {
    offered.current = commands
  })
  useEffect(() => {
    offers.add(offered)
    return () => void offers.delete(offered)
  }, [])
}

/** What the screen offers now, in the order in which it came. */
export function commandsNow(): Command[] {
  return [...offers].flatMap(({ current }) => current)
}

/** The command of a key that was pressed. One that is held down does once what it does: nobody wants thirty files. */
export function commandFor(
  { key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>,
  commands: readonly Command[],
): Command | undefined {
  return commands.find((one) => one.key === key && (one.repeats || !repeat))
}
