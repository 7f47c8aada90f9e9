const times = Number(process.env.FUZZ_RUNS || 1)

/** How often a property is tried: as told, or FUZZ_RUNS times as often. */
export const tries = (usual: number): { numRuns: number } => ({ numRuns: Math.ceil(usual * times) })

/** How long a test with so many seconds of work may take, in milliseconds: a busy machine is five times slower. */
export const patience = (seconds: number): number => seconds * 5_000 * Math.max(times, 1)
