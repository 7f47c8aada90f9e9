/** Seeds that once broke a promise, with what was wrong: run first, always. */
export const KEPT_SEEDS: readonly { seed: number; why: string }[] = [
  { seed: 1487, why: 'a promise that a batch broke came to its end as a claim, and was EXPIRED where it was to be REVERSED' },
  {
    seed: 2710,
    why: 'a repetition that stood still until its time ran out was told as failed, and the first request had been paid',
  },
]

/** Seeds that together reach every state and event of a settlement; fresh seeds add to them. */
export const PATH_SEEDS: readonly number[] = [13, 47, 56, 67]
