import type { Figures } from './analytics/figure'

/** How often a screen reads again what it shows, in milliseconds. */
export const REFRESH_MS = {
  /** For a result that the viewer is waiting for. */
  firstPayment: 2_000,
  delivery: 2_000,
  settlements: 3_000,
  /** More rows wait on the server. */
  backlog: 100,
  deliveries: 3_000,
  balance: 5_000,
  environment: 5_000,
  figuresOfToday: 5_000,
  firstSteps: 5_000,
  networks: 5_000,
  settlement: 5_000,
  unfinished: 5_000,
  webhooks: 10_000,
  platform: 15_000,
  /** Sums of whole days. */
  figures: 60_000,
  sums: 60_000,
  activity: 60_000,
} as const

/** How old an answer may be before a screen that opens reads it again, in milliseconds. */
export const FRESH_MS = { usual: 10_000, account: 60_000 } as const

type Known<Data> = { state: { data: Data | undefined } }

const figuresInterval = (data: Figures | undefined) => {
  const last = data?.days.at(-1)
  if (!data || !last) return REFRESH_MS.figures
  return last.until > data.at && !data.more ? REFRESH_MS.figuresOfToday : REFRESH_MS.figures
}

/** How often figures refresh: often while today is part of them, and seldom when today has too many rows to count. */
export const liveFigures = {
  refetchInterval: ({ state: { data } }: Known<Figures>) => figuresInterval(data),
} as const

/** How often an overview refreshes: as its figures. It is slower than other answers, so they do not wait for it. */
export const liveOverview = {
  refetchInterval: ({ state: { data } }: Known<{ figures: Figures }>) => figuresInterval(data?.figures),
  trpc: { context: { alone: true } },
} as const

/** How often sums of money refresh. They are slower than figures, so they do not wait for each other. */
export const freshSums = { refetchInterval: REFRESH_MS.sums, trpc: { context: { alone: true } } } as const
