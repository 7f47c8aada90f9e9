import type pg from 'pg'
import type { Timing } from '../timing'

type Query = (...asked: unknown[]) => Promise<unknown>

/** Tells how long the statements of a pool take, the wait for a connection included, where somebody wants to know. */
export function timeStatements(pool: pg.Pool, timing: Timing): void {
  if (!timing.traces) return
  const query = promising(pool)
  const timed: Query = (...asked) =>
    timing.time({ name: 'database', facts: { statement: kindOf(asked[0]) } }, () => query(...asked))
  Object.assign(pool, { query: timed })
}

// The driver adapter uses the one form of `query` that answers with a promise.
const promising = (pool: pg.Pool): Query => pool.query.bind(pool) as Query

const TABLE = /(?:FROM|INTO|UPDATE)\s+"(?:public"\.")?(\w+)"/i
const VERB = /\b(SELECT|INSERT|UPDATE|DELETE)\b/i

/** The first verb and table of a statement; its text and values stay where they are. */
function kindOf(asked: unknown): string {
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : String(asked)
  return [VERB.exec(text)?.[1]?.toUpperCase(), TABLE.exec(text)?.[1]].filter(Boolean).join(' ') || 'other'
}
