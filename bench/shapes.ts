import type { Route } from './load'

/** Who pays, and how much at a time. */
export type Shape = {
  payers: number
  apiKeys: number
  /** Signers of each facilitator; a run for each number. */
  lanes: readonly number[]
  /** Seconds between blocks, 0 for a block per transaction; a run for each. */
  blockTimes: readonly number[]
  /** Rounds after the first. */
  rounds: number
  /** Requests in flight, a row for each. */
  inFlight: Readonly<Record<Route, readonly number[]>>
  /** Payments of a row. */
  payments: (route: Route, inFlight: number) => number
  columns: 'calls' | 'requests'
}

/** The shapes of traffic that the bench measures. */
export const shapes = {
  users: {
    payers: 64,
    apiKeys: 16,
    lanes: [4, 1],
    blockTimes: [0.2, 0],
    rounds: 3,
    inFlight: { settle: [1, 32, 128, 256], verify: [32, 128] },
    payments: (_, inFlight) => (inFlight === 1 ? 12 : inFlight * 3),
    columns: 'calls',
  },
  'one-key': {
    payers: 32,
    apiKeys: 1,
    lanes: [1],
    blockTimes: [0.2],
    rounds: 1,
    inFlight: { settle: [1, 8, 32, 128, 256], verify: [1, 8, 32, 128, 256] },
    // A lone settle takes a block, so a few are enough.
    payments: (route, inFlight) => (route === 'verify' ? Math.max(256, inFlight * 4) : Math.max(24, inFlight * 6)),
    columns: 'requests',
  },
} as const satisfies Record<string, Shape>

export type ShapeName = keyof typeof shapes

/** One run of the bench: a chain, and every facilitator beside the others on it. */
export type Scenario = { shape: ShapeName; blockTimeSeconds: number; lanes: number; rounds: number }
