/** The standard normal quantile of a two-sided interval of 95%. */
const Z = 1.959963984540054

/** The lower end of Wilson's 95% interval for a share of `good` among `all`; 0 without any good one. */
export function wilsonLowerBound(good: number, all: number): number {
  if (good === 0) return 0
  const share = good / all
  const square = Z ** 2 / all
  const spread = Z * Math.sqrt((share * (1 - share) + square / 4) / all)
  return (share + square / 2 - spread) / (1 + square)
}
