import type { NetworkRow } from './rows'

/** About what a coin costs in US dollars. Gas budgets in dollars are divided by it; a row may have another price (`coinUsd`). */
const COIN_USD: ReadonlyMap<string, number> = new Map([
  ['ETH', 3_000],
  ['SOL', 250],
  ['BTC', 120_000],
  ['AVAX', 50],
  ['POL', 1],
  ['CELO', 1],
  ['SEI', 1],
  ['MON', 1],
  ['XDC', 0.2],
  ['FLR', 0.1],
  ['USDT0', 1],
  ['RUSD', 1],
  ['ADI', 10],
  ['iKAS', 0.1],
])

/** The price of a row's coin in US dollars: its own, else that of a known coin. Null on testnets, and for a coin that is not known. */
export function coinUsdOf({ testnet, coin, ...row }: NetworkRow): number | null {
  if (testnet) return null
  const own = row.family === 'evm' ? row.coinUsd : undefined
  return own ?? COIN_USD.get(coin.symbol) ?? null
}

const MICRO = 1_000_000

/** So many US dollars in the smallest unit of a coin at a price, rounded down. */
export function coinsFor(usd: number, coinUsd: number, decimals: number): bigint {
  const micro = (dollars: number) => BigInt(Math.round(dollars * MICRO))
  return (micro(usd) * 10n ** BigInt(decimals)) / micro(coinUsd)
}

/** What so much gas costs in millionths of a US dollar at a price of its coin, rounded up: it is not nothing. */
export function microUsdOf(spent: bigint, coinUsd: number, decimals: number): bigint {
  const unit = 10n ** BigInt(decimals)
  return (spent * BigInt(Math.round(coinUsd * MICRO)) + unit - 1n) / unit
}
