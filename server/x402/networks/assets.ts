import {
  type Asset,
  assetOn,
  type EvmAsset,
  type EvmNetworkId,
  isEvmNetwork,
  isNetworkId,
  mainAsset,
  type NetworkId,
  networkIds,
  networkRow,
} from './networks'
import { dollarSymbols } from './rows'

/** The unit of an amount: its symbol, and how many decimals one atomic unit has. */
export type Token = Pick<Asset, 'symbol' | 'decimals'>

/** USDC, in which prices, credits and limits of this service are written. */
export const USDC = { symbol: 'USDC', decimals: 6 } as const satisfies Token

/** The first token of a network whose smallest unit is worth as much as that of USDC. Null where no token is a dollar of six decimals. */
export function dollarOn(network: EvmNetworkId): EvmAsset | null
export function dollarOn(network: NetworkId): Asset | null
export function dollarOn(network: NetworkId): Asset | null {
  const isDollar = ({ symbol, decimals }: Asset) => dollarSymbols.has(symbol) && decimals === USDC.decimals
  return networkRow(network).assets.find(isDollar) ?? null
}

/** The token that a payment moves. */
export function assetIn({ network, asset }: { network: NetworkId; asset: string }): Asset {
  return assetOn(network, asset) ?? mainAsset(network)
}

/** The symbol of a token, under which sums are kept; the address of one that is not settled any more. */
export function symbolOf(network: string, address: string): string {
  return assetAt(network, address)?.symbol ?? address
}

/** The token at an address as anyone may write both; null for one that is not settled. */
export function assetAt(network: string, address: string): Asset | null {
  if (!isNetworkId(network)) return null
  return assetOn(network, isEvmNetwork(network) ? address.toLowerCase() : address)
}

/** The token with a symbol. One that no network of this process settles counts as having six decimals. */
export function tokenNamed(symbol: string): Token {
  const known = networkIds.flatMap((id): readonly Asset[] => networkRow(id).assets).find((asset) => asset.symbol === symbol)
  return { symbol, decimals: known?.decimals ?? USDC.decimals }
}

/** The address of the token with a symbol on a network; null where it is not settled. */
export function addressNamed(network: string, symbol: string): string | null {
  if (!isNetworkId(network)) return null
  return networkRow(network).assets.find((asset) => asset.symbol === symbol)?.address ?? null
}

/** The symbols of the tokens that some networks settle, each once: USDC first, then by name. */
export function symbolsOn(networks: readonly NetworkId[]): string[] {
  const symbols = new Set(networks.flatMap((id) => networkRow(id).assets.map(({ symbol }) => symbol)))
  return [...symbols].toSorted(bySymbol)
}

/** The order of symbols: USDC first, then by name. */
export function bySymbol(one: string, other: string): number {
  if (one === other) return 0
  if (one === USDC.symbol || other === USDC.symbol) return one === USDC.symbol ? -1 : 1
  return one < other ? -1 : 1
}
