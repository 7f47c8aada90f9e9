/** Amounts as the heights of bars: percents of the highest. What is not nothing is at least 1. */
export function heightsOf(amounts: readonly bigint[]): number[] {
  let most = 0n
  for (const one of amounts) if (one > most) most = one
  return amounts.map((one) => (one === 0n ? 0 : Math.max(1, Number((one * 100n) / most))))
}
