import { parseUnits } from 'viem'
import { assetOn, type EvmNetworkId } from '../../x402/networks/networks'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'

/** Whether a transfer moves or claims this many whole tokens or more, a decimal number. False for a token that the network does not list. */
export function isLarge(network: EvmNetworkId, transfer: SignedTransfer, from: string): boolean {
  const asset = assetOn(network, transfer.asset)
  const moved = methodFor(transfer).moved?.(transfer) ?? transfer.authorization.value
  return asset !== null && moved >= parseUnits(from, asset.decimals)
}
