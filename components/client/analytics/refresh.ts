import { REFRESH_MS } from '../refresh'
import type { Figures } from './figure'

type Known<Data> = { state: { data: Data | undefined } }

/** How often figures refresh: often while today is part of them, and seldom when today has too many rows to count. */
export const liveFigures = {
  refetchInterval: ({ state: { data } }: Known<Figures>) => {
    const last = data?.days.at(-1)
    if (!data || !last) return REFRESH_MS.figures
    return last.until > data.at && !data.more ? REFRESH_MS.figuresOfToday : REFRESH_MS.figures
  },
} as const

/** How often lists refresh. They are slower than figures, so they do not wait for each other. */
export const freshLists = { refetchInterval: REFRESH_MS.lists, trpc: { context: { alone: true } } } as const
