import { parseUnits } from 'viem'
import type { Caller } from '../accounts/caller'
import { CREDIT_PRICE } from '../accounts/credit-price'
import { plans } from '../accounts/plans'
import type { App } from '../app'
import { coinsFor, coinUsdOf } from '../x402/networks/coin-prices'
import { type NetworkId, type NetworkRow, networkRow } from '../x402/networks/networks'

type Config = Pick<App['config'], 'gasBudgetDay' | 'walletGasBudgetDay' | 'freeGasUsdDay'>

/** Without a price of the coin: on testnets, where coins are free, and for paid keys on a network of an unknown coin. */
const COINS_WITHOUT_PRICE = '1'

/** The common budget is of this many owners: one that spends all it may leaves four fifths. */
const OWNERS_SHARE = 5n

/** What one settlement's gas may cost in US dollars where the row says nothing. */
const GAS_MAX_USD = 10

/** The daily gas budgets of a claim in the smallest unit of its network: of its own budget, and of all free keys; null for a paid key. */
export function gasBudgetsOf(
  { config }: { config: Config },
  caller: Pick<Caller, 'plan' | 'freeFrom' | 'metered'>,
  network: NetworkId,
): { own: bigint; free: bigint | null } {
  const row = networkRow(network)
  const own = ownBudget(config, caller.plan, row)
  if (freeFromOf(caller, network) === null) return { own, free: null }
  const free = freeBudget(config, row)
  return { own: lower(own, free / OWNERS_SHARE), free }
}

/**
 * Whose share of the common budget a claim spends; null for a key that pays for itself. A credit pays only where its price is that of a
 * settlement, and not for what the service does for an agent by itself: that takes no credit.
 */
export function freeFromOf({ freeFrom, metered }: Pick<Caller, 'freeFrom' | 'metered'>, network: NetworkId): string | null {
  return metered.by === 'credits' && BigInt(minimumOf(networkRow(network))) <= CREDIT_PRICE ? null : freeFrom
}

/** A row's own minimum payment, in millionths of a whole token: about what the gas of a settlement costs there. 0 without one. */
export function minimumOf(row: NetworkRow): number {
  return (row.family === 'evm' && row.minPayment) || 0
}

/** The most that one settlement's gas may cost on a network, in its smallest unit; null on testnets and for a coin without a price. */
export function gasMaxOf(network: NetworkId): bigint | null {
  const row = networkRow(network)
  const coinUsd = coinUsdOf(row)
  const usd = (row.family === 'evm' ? row.gasMaxUsd : undefined) ?? GAS_MAX_USD
  return coinUsd === null ? null : coinsFor(usd, coinUsd, row.coin.decimals)
}

/**
 * The most that one payer's own approval may cost us on a network, in wei; 0 where none is sent. The setting is in ether: a network of
 * another coin needs a figure of its own row.
 */
export function approvalMaxOf({ sponsoredApprovalMax }: Pick<App['config'], 'sponsoredApprovalMax'>, network: NetworkId): bigint {
  const row = networkRow(network)
  if (row.family === 'svm') return 0n
  const usual = row.coin.symbol === 'ETH' ? sponsoredApprovalMax : '0'
  return parseUnits(row.sponsoredApprovalMax ?? usual, row.coin.decimals)
}

/** What the operator wrote in coins: for the network, else for all. */
function stated({ gasBudgetDay }: Config, row: NetworkRow): string | null {
  return (row.family === 'evm' ? row.gasBudgetDay : undefined) ?? gasBudgetDay
}

function ownBudget(config: Config, plan: Caller['plan'], row: NetworkRow): bigint {
  const { decimals } = row.coin
  const [coins, coinUsd] = [stated(config, row), coinUsdOf(row)]
  if (coins !== null || coinUsd === null) return parseUnits(coins ?? COINS_WITHOUT_PRICE, decimals)
  return coinsFor(plans[plan].gasUsdDay, coinUsd, decimals)
}

function freeBudget(config: Config, row: NetworkRow): bigint {
  const { decimals } = row.coin
  if (config.walletGasBudgetDay !== null) return parseUnits(config.walletGasBudgetDay, decimals)
  const most = stated(config, row)
  if (row.testnet) return parseUnits(most ?? COINS_WITHOUT_PRICE, decimals)
  const coinUsd = coinUsdOf(row)
  // A coin without a price may be worth a fortune: only a figure of the row itself counts.
  if (coinUsd === null) return parseUnits((row.family === 'evm' ? row.gasBudgetDay : undefined) ?? '0', decimals)
  const usual = coinsFor(config.freeGasUsdDay, coinUsd, decimals)
  if (most === null) return usual
  return lower(usual, parseUnits(most, decimals))
}

function lower(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}
