import type { Timing } from '../timing'
import type { Ended, Metrics } from './metrics'
import type { Traces } from './traces'

/** Tells metrics how long pieces of work took, and makes spans of them where traces are configured. */
export function createTiming({ ears, judgedBad }: Pick<Metrics, 'ears' | 'judgedBad'>, traces: Traces | null): Timing {
  return {
    async time<T>(piece: Parameters<Timing['time']>[0], work: () => Promise<T>): Promise<T> {
      const hear = ears[piece.name]
      const run = traces ? () => traces.within(piece, work) : work
      if (!hear) return run()
      const began = performance.now()
      const tell = (ended: Ended) => hear(piece.facts, (performance.now() - began) / 1_000, ended)
      try {
        const value = await run()
        tell({ value })
        return value
      } catch (error) {
        tell({ error })
        throw error
      }
    },
    judgedBad,
    mark: () => traces?.mark() ?? null,
    traces: traces !== null,
  }
}
