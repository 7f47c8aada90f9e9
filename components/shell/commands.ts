'use client'

import { useEffect, useRef } from 'react'
import type { Icon } from '../ui/icons'

/** Something that the screen in front can do: by its key (as `KeyboardEvent.key` has it), in the palette (where it has an icon), or both. */
export type Command = { title: string; key?: string; icon?: Icon; run: () => void }

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
