import { addNetwork, type EvmAsset, networkRow } from '../../../server/x402/networks/networks'

const NETWORK = 'eip155:84532'
const original = networkRow(NETWORK)

/** Adds a token that is paid by Permit2 to those that Base Sepolia settles. */
export function serveToken(address: string): void {
  const token: EvmAsset = {
    address: `0x${address.slice(2).toLowerCase()}`,
    symbol: 'TUSD',
    decimals: 6,
    domain: { name: 'Test Dollar', version: '1' },
    method: 'permit2',
    permits: true,
  }
  const { assets, ...row } = networkRow(NETWORK)
  const [first, ...others] = assets
  addNetwork({ ...row, assets: [first, ...others, token] })
}

/** Takes all added tokens away again: test files share a process. */
export function serveNoTokens(): void {
  addNetwork(original)
}
