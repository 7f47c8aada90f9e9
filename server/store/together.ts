import DataLoader from 'dataloader'
import type { Db } from './database'

/** More would make one statement slow for everybody in it. */
const TOGETHER_MAX = 200

/**
 * One statement for all calls of a moment instead of one each: a moment is a turn of the event loop, so a call alone waits for nothing.
 * `act` gets the calls of that moment and answers in their order, each with a result or an error of its own.
 */
export function together<Call, Result>(
  act: (db: Db, calls: readonly Call[]) => Promise<(Result | Error)[]>,
): (db: Db, call: Call) => Promise<Result> {
  // By the database, so that nothing outlives it and no two are mixed.
  const loaders = new WeakMap<Db, DataLoader<Call, Result, Call>>()
  return (db, call) => {
    const loader = loaders.get(db) ?? new DataLoader<Call, Result, Call>((calls) => act(db, calls), OPTIONS)
    loaders.set(db, loader)
    return loader.load(call)
  }
}

const OPTIONS = { cache: false, maxBatchSize: TOGETHER_MAX, batchScheduleFn: (run: () => void) => void setImmediate(run) }
