/** Seeds that once broke a promise, with what was wrong: run first, always. */
export const KEPT_SEEDS: readonly { seed: number; why: string }[] = [
  { seed: 1487, why: 'a promise that a batch broke came to its end as a claim, and was EXPIRED where it was to be REVERSED' },
]
