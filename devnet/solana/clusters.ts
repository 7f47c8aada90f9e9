export type ClusterName = 'devnet' | 'mainnet'

type Cluster = { network: `${string}:${string}`; genesisHash: string; mint: string; title: string; treasury: string }

/** The clusters that can run locally, with USDC and the treasury of payment channels at their real addresses. */
export const clusters = {
  devnet: {
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    mint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    title: 'Solana devnet',
    treasury: '4zTeC5mVqWLruDexgU2mV66p9t5vCA9JyiZqdGDUspap',
  },
  mainnet: {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    title: 'Solana',
    treasury: 'Cs2zdfUNonRdRGsiZUQQLdTxzxVvJZmgiX2mpLYKuEqP',
  },
} as const satisfies Record<ClusterName, Cluster>
