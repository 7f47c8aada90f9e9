const times = Number(process.env.FUZZ_RUNS || 0.5)

/** The number of runs of a property, multiplied by FUZZ_RUNS: half of them in `npm test`. */
export const tries = (usual: number): { numRuns: number } => ({ numRuns: Math.ceil(usual * times) })

/** The timeout in milliseconds of a test with this many seconds of work; a busy machine is five times slower. */
export const patience = (seconds: number): number => seconds * 5_000 * Math.max(times, 1)
