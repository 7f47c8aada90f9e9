/** Atomic units of a token with so many decimals as an exact decimal amount: `1000n` with six is "0.001". */
export function exactAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}

/** People read at most this many decimals. */
const SHOWN_DECIMALS = 6

/** Atomic units as a decimal amount for people: at most six decimals, rounded down, and never "0" for an amount above it. */
export function displayAmount(amount: bigint, decimals: number): string {
  const hidden = Math.max(0, decimals - SHOWN_DECIMALS)
  const shown = amount / 10n ** BigInt(hidden)
  return shown === 0n && amount > 0n ? '<0.000001' : exactAmount(shown, decimals - hidden)
}

/** An amount for people with its token: "0.001 USDC". */
export function displayMoney(amount: bigint, { symbol, decimals }: { symbol: string; decimals: number }): string {
  return `${displayAmount(amount, decimals)} ${symbol}`
}

/**
 * An amount of a token with six decimals as that many whole tokens with other decimals. What does not come out even is rounded `up` for a
 * minimum, `down` for a maximum.
 */
export function inDecimals(amount: bigint, decimals: number, round: 'up' | 'down'): bigint {
  if (decimals >= 6) return amount * 10n ** BigInt(decimals - 6)
  const divisor = 10n ** BigInt(6 - decimals)
  return (amount + (round === 'up' ? divisor - 1n : 0n)) / divisor
}
