/** The networks of the example by their command-line name; `id` is the CAIP-2 id. */
export const networks = {
  'base-sepolia': { family: 'evm', id: 'eip155:84532', chainId: 84532 },
  base: { family: 'evm', id: 'eip155:8453', chainId: 8453 },
  solana: { family: 'solana', id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', chainId: 'mainnet' },
} as const

export type NetworkName = keyof typeof networks

/** True for the name of a network. */
export function isNetworkName(word: string): word is NetworkName {
  return Object.hasOwn(networks, word)
}
