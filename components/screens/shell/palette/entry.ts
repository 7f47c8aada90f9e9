import type { LucideIcon } from 'lucide-react'

/** One line of the palette. `about` says more; `keywords` find it and stay hidden; `keys` are the shortcut that does the same. */
export type Entry = {
  id: string
  title: string
  about?: string
  keywords?: string
  icon: LucideIcon
  keys?: readonly string[]
  /** The place that it opens. Any other entry runs. */
  href?: string
  /** It is not remembered as a place: it does something there, or has what was pasted. */
  fleeting?: true
  run?: () => void
}

/** The entries of a section. */
export type Group = { title: string; entries: Entry[] }

/** How ids of entries begin that rank behind others that match as well. */
export const BEHIND = { switches: 'switch ', found: 'found ' } as const

/** The weight of an entry among those that match. */
export function weightOf(id: string): number {
  if (id.startsWith(BEHIND.switches)) return 0.5
  // Below a hidden keyword of a command, so that what arrives later does not take its place.
  return id.startsWith(BEHIND.found) ? 0.45 : 1
}

const SCREENS = /^\/(dashboard|payments|agent|console)([/?]|$)/

/** Opens a place. Public pages have another layout, so they load in full. */
export function openPlace(href: string, push: (href: string) => void): void {
  if (SCREENS.test(href)) push(href)
  else location.assign(href)
}
