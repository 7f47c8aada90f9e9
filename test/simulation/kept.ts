/** Seeds that once broke a promise, with what was wrong: run first, always. */
export const KEPT_SEEDS: readonly { seed: number; why: string }[] = []
