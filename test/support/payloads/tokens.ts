import { onTestFinished } from 'vitest'
import { addNetwork, type EvmAsset, type EvmNetworkId, networkRow } from '../../../server/x402/networks/networks'

/** Circle's EURC on Base Sepolia. */
export const EURC = {
  address: '0x808456652fdb597867f38412077a9182bf77359f',
  symbol: 'EURC',
  decimals: 6,
  domain: { name: 'EURC', version: '2' },
  method: 'eip3009',
} as const satisfies EvmAsset

/** A token with as many decimals as ether. */
export const MUSD = {
  ...EURC,
  address: '0x1e3b1b2d2c0a8f7b8f3b7b6c5d4e3f2a1b0c9d8e',
  symbol: 'mUSD',
  decimals: 18,
} as const satisfies EvmAsset

/** Settles further tokens on a network of this process. Returns what ends it: the process has other tests. */
export function settleToo(tokens: readonly EvmAsset[], network: EvmNetworkId = 'eip155:84532'): () => void {
  const row = networkRow(network)
  const [main] = row.assets
  addNetwork({ ...row, assets: [main, ...tokens] })
  return () => void addNetwork(row)
}

/** Settles further tokens on a network until the end of the test. */
export function settleTooInTest(tokens: readonly EvmAsset[], network?: EvmNetworkId): void {
  onTestFinished(settleToo(tokens, network))
}
