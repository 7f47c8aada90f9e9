import type { Figures } from './figure'

const LIVE_MS = 5_000
const SLOW_MS = 60_000

type Known<Data> = { state: { data: Data | undefined } }

/** How often figures refresh: often while today is part of them, and seldom when today has too many rows to count. */
export const liveFigures = {
  refetchInterval: ({ state: { data } }: Known<Figures>) => {
    const last = data?.days.at(-1)
    if (!data || !last) return SLOW_MS
    return last.until > data.at && !data.more ? LIVE_MS : SLOW_MS
  },
} as const

/** How often lists refresh. They are slower than figures, so they do not wait for each other. */
export const freshLists = { refetchInterval: SLOW_MS, trpc: { context: { alone: true } } } as const
