import { isNetworkId, networks } from '@/server/x402/networks'

const EXPLORERS: Record<string, { transaction: (hash: string) => string; address: (address: string) => string }> = {
  'eip155:8453': {
    transaction: (hash) => `https://basescan.org/tx/${hash}`,
    address: (of) => `https://basescan.org/address/${of}`,
  },
  'eip155:84532': {
    transaction: (hash) => `https://sepolia.basescan.org/tx/${hash}`,
    address: (of) => `https://sepolia.basescan.org/address/${of}`,
  },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': {
    transaction: (hash) => `https://explorer.solana.com/tx/${hash}`,
    address: (of) => `https://explorer.solana.com/address/${of}`,
  },
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': {
    transaction: (hash) => `https://explorer.solana.com/tx/${hash}?cluster=devnet`,
    address: (of) => `https://explorer.solana.com/address/${of}?cluster=devnet`,
  },
}

/** Where a transaction can be looked at; undefined where there is none. */
export function transactionUrl(network: string, hash: string): string | undefined {
  return hash === '' ? undefined : EXPLORERS[network]?.transaction(hash)
}

/** Where an address can be looked at. */
export function addressUrl(network: string, address: string): string | undefined {
  return address === '' ? undefined : EXPLORERS[network]?.address(address)
}

/** A network as people call it. */
export function titleOf(network: string): string {
  return isNetworkId(network) ? networks[network].title : network
}
