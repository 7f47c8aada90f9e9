/** The networks that an agent can buy and sell on here, by the name that the command line takes; `id` is the one of CAIP-2. */
export const networks = {
  'base-sepolia': { family: 'evm', id: 'eip155:84532', chainId: 84532 },
  base: { family: 'evm', id: 'eip155:8453', chainId: 8453 },
  solana: { family: 'solana', id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', chainId: 'mainnet' },
} as const

export type NetworkName = keyof typeof networks

/** Whether a word is the name of one of them. */
export function isNetworkName(word: string): word is NetworkName {
  return Object.hasOwn(networks, word)
}
