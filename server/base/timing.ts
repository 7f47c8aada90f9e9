/** The pieces of work that are measured. */
export type PieceName = 'rpc' | 'kyt' | 'judge' | 'screen' | 'claim' | 'sign' | 'send' | 'wait' | 'database'

/** The labels of a piece: few values each, never a key, an address, a tenant or a URL. */
export type TimedFacts = Readonly<Record<string, string | number>>

/** The span at the time of a request, so that later work elsewhere can be attached to it. */
export type Mark = { readonly mark: unique symbol } | null

/** A piece of work, with the marks of the requests it serves if they are not the current one. */
export type Piece = { name: PieceName; facts: TimedFacts; for?: readonly Mark[] }

/** Measures pieces of work for metrics and traces. It never changes their result. */
export type Timing = {
  time<T>(piece: Piece, work: () => Promise<T>): Promise<T>
  /** A payment failed its judgement. */
  judgedBad(facts: { network: string; tier: string; reason: string }): void
  mark(): Mark
  /** Whether traces are on. */
  traces: boolean
}

/** Measures nothing. */
export const untimed: Timing = { time: (_piece, work) => work(), judgedBad: () => {}, mark: () => null, traces: false }

/** The result of work, or an error after the timeout. The work itself continues. */
export async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
