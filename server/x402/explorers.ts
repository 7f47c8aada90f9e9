import { isNetworkId, type NetworkId } from './networks'

/** The block explorer of each network; `suffix` selects a cluster. */
const EXPLORERS: Record<NetworkId, { name: string; url: string; suffix?: string }> = {
  'eip155:8453': { name: 'BaseScan', url: 'https://basescan.org' },
  'eip155:84532': { name: 'BaseScan', url: 'https://sepolia.basescan.org' },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': { name: 'Solana Explorer', url: 'https://explorer.solana.com' },
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': {
    name: 'Solana Explorer',
    url: 'https://explorer.solana.com',
    suffix: '?cluster=devnet',
  },
}

/** The explorer page of a transaction; undefined without a hash or an explorer. */
export function transactionUrl(network: string, hash: string): string | undefined {
  return pageOf(network, 'tx', hash)
}

/** The explorer page of an address; undefined without an address or an explorer. */
export function addressUrl(network: string, address: string): string | undefined {
  return pageOf(network, 'address', address)
}

/** The name of a network's explorer. */
export function explorerName(network: string): string {
  return isNetworkId(network) ? EXPLORERS[network].name : 'the explorer'
}

function pageOf(network: string, kind: 'tx' | 'address', id: string): string | undefined {
  if (id === '' || !isNetworkId(network)) return undefined
  const { url, suffix = '' } = EXPLORERS[network]
  return `${url}/${kind}/${id}${suffix}`
}
