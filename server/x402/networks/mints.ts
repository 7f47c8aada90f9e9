import { type Asset, type NetworkId, networkIds, networkRow, type SvmAsset, type SvmNetworkId, setMints } from './networks'

// Mints by network and address whose proof is still missing.
const awaited = new Set<string>()
const keyOf = (network: NetworkId, address: string) => `${network} ${address}`

/** Says that a mint of a cluster will be known once it is proven. */
export function awaitMint(network: SvmNetworkId, address: string): void {
  awaited.add(keyOf(network, address))
}

/** Whether a mint is configured and not proven yet. */
export function isAwaited(network: NetworkId, address: string): boolean {
  return awaited.has(keyOf(network, address))
}

/** Makes a proven mint known to this process as a further token of its cluster. */
export function addMint(network: SvmNetworkId, asset: SvmAsset): void {
  withdrawMint(network, asset.address)
  setMints(network, (further) => [...further, asset])
}

/** Makes a further token of a cluster unknown again, or one that is awaited. */
export function withdrawMint(network: SvmNetworkId, address: string): void {
  setMints(network, (further) => further.filter((asset) => asset.address !== address))
  awaited.delete(keyOf(network, address))
}

/** The network whose token of this symbol has another number of decimals. Null without one: figures add up per symbol. */
export function otherScale({ symbol, decimals }: Pick<Asset, 'symbol' | 'decimals'>): NetworkId | null {
  const differs = (asset: Asset) => asset.symbol === symbol && asset.decimals !== decimals
  return networkIds.find((id) => networkRow(id).assets.some(differs)) ?? null
}
