import { inDecimals } from '../../../x402/networks/amounts'
import { coinUsdOf, microUsdOf } from '../../../x402/networks/coin-prices'
import { type EvmNetworkId, networkRow } from '../../../x402/networks/networks'

/** The rows of one claim: it costs one settlement of the key. */
export const ROWS_MAX = 100

/** What of a channel is claimed at once where its key has no figure of its own: ten whole tokens, here with six decimals. */
const CLAIM_ABOVE = 10_000_000n

/** Seconds after which anything charged is claimed where the key has no figure; a third of the channel's delay where that is less. */
export const CLAIM_AFTER_S = 3_600
export const DELAY_SHARE = 3

/** Seconds for which less than the gas of its row waits, unless its payer withdraws. */
export const DUST_AFTER_S = 86_400

/** Seconds after which what was claimed is paid out, if it does not reach the key's amount before. */
export const PAYOUT_AFTER_S = 3_600

/** Seconds between two urgent claims of a channel whose payer withdraws, while little is unclaimed and the delay is not nearly over. */
export const RACE_AGAIN_S = 60

/** How often the rows of a network's channels are looked at. */
export const ROUND_MS = 5_000

/** Every so many rounds the chain is read: after a fifteenth of the least delay that a channel may have. */
export const READ_ROUNDS = 12

/**
 * Says in which rounds the channels of a network are read on the chain: when it is `urgent`, in the first one after `again`, and every so
 * many. Rounds between them work with what the rows say.
 */
export function createReadings(everyRounds = READ_ROUNDS): { isDue(urgent: boolean): boolean; again(): void } {
  let until = 0
  return {
    isDue(urgent) {
      if (!urgent && until > 0) {
        until--
        return false
      }
      until = everyRounds - 1
      return true
    },
    again() {
      until = 0
    },
  }
}

/** About what one row more costs of a claim. */
const GAS_OF_ROW = 35_000n

/** By token: what is claimed at once unless the key says otherwise, and below what a row costs more than it brings. Atomic units. */
export type TokenBounds = { token: string; above: bigint; dust: bigint }

/**
 * The bounds of the tokens of a network while gas costs so much, wei. A token counts as a dollar. Where the coin has no price, as on testnets,
 * nothing is dust.
 */
export function boundsOf(network: EvmNetworkId, gasPrice: bigint): TokenBounds[] {
  const row = networkRow(network)
  const coinUsd = coinUsdOf(row)
  const cost = coinUsd === null ? 0n : microUsdOf(gasPrice * GAS_OF_ROW, coinUsd, row.coin.decimals)
  return row.assets.map(({ address, decimals }) => ({
    token: address,
    above: inDecimals(CLAIM_ABOVE, decimals, 'up'),
    dust: inDecimals(cost, decimals, 'up'),
  }))
}
