export type ClusterName = 'devnet' | 'mainnet'

/** The clusters that can run locally, with USDC at its real address. */
export const clusters = {
  devnet: {
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    mint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    title: 'Solana devnet',
  },
  mainnet: {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    title: 'Solana',
  },
} as const satisfies Record<ClusterName, { network: `${string}:${string}`; genesisHash: string; mint: string; title: string }>
