/** True in `npm run test:long`, which runs more cases than `npm test`. */
const isLongRun = process.env.LONG_RUN === '1'

/** Returns the cases that every run has, and in a long run the others too. */
export function casesOf<T>(always: readonly T[], inLongRuns: readonly T[]): T[] {
  return isLongRun ? [...always, ...inLongRuns] : [...always]
}

/** Declares tests that only a long run has. */
export function inLongRuns(declare: () => void): void {
  if (isLongRun) declare()
}
