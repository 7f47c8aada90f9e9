/** The pieces of work whose time is worth knowing. */
export type PieceName = 'rpc' | 'kyt' | 'judge' | 'screen' | 'claim' | 'sign' | 'send' | 'wait' | 'database'

/** What is told of a piece of work: few words of a bounded kind, never a key, an address, a tenant or a URL. */
export type Facts = Readonly<Record<string, string | number>>

/** What went on when it was asked for. Work that is done later, elsewhere, for it can be put below it. */
export type Mark = { readonly mark: unique symbol } | null

/** A piece of work, with what it is done for when that is not what is going on right now. */
export type Piece = { name: PieceName; facts: Facts; for?: readonly Mark[] }

/** Who is told how long pieces of work take: metrics, and traces where they are configured. It never changes what the work comes to. */
export type Timing = {
  time<T>(piece: Piece, work: () => Promise<T>): Promise<T>
  /** A payment failed its judgement. */
  judgedBad(facts: { network: string; tier: string; reason: string }): void
  mark(): Mark
  /** Whether somebody wants to know what a piece of a request is made of. */
  traces: boolean
}

/** Tells nobody. */
export const untimed: Timing = { time: (_piece, work) => work(), judgedBad: () => {}, mark: () => null, traces: false }

/** What was asked for, or an error once so many milliseconds are over. What is asked goes on by itself. */
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
