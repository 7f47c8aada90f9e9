/** True in `npm run test:long`, which runs more cases than `npm test`. */
const isLongRun = process.env.LONG_RUN === '1'

/** The cases of every run, plus the second list in a long run. */
export function casesOf<T>(always: readonly T[], inLongRuns: readonly T[]): T[] {
  return isLongRun ? [...always, ...inLongRuns] : [...always]
}

/** Declares tests for long runs only. */
export function inLongRuns(declare: () => void): void {
  if (isLongRun) declare()
}
