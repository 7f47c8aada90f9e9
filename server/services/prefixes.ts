import { type NetworkId, networkIds, networks } from '../x402/networks'

/** A path prefix below which `/settle`, `/verify` and their like exist. */
export type Prefix = 'sandbox' | 'v1' | 'flash'

const keyed: readonly NetworkId[] = networkIds.filter((id) => networks[id].family === 'evm' || !networks[id].testnet)

/** The networks below each prefix. */
export const prefixNetworks = {
  sandbox: networkIds.filter((id) => networks[id].testnet),
  v1: keyed,
  flash: keyed,
} as const satisfies Record<Prefix, readonly NetworkId[]>
