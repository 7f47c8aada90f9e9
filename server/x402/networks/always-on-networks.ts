import { TOKEN_PROGRAM } from '../schemes/exact/svm/programs'
import { type NetworkId, type NetworkRow, USUAL } from './rows'

// Finalized when Ethereum finalized the batch that holds the block.
const base = { ...USUAL, blockSeconds: 2, finalizedSeconds: 1_200, depth: null } as const
const sol = { symbol: 'SOL', decimals: 9 } as const
const usdc = { symbol: 'USDC', decimals: 6 } as const

/** The networks that every process knows. */
export const ALWAYS: readonly [NetworkId, NetworkRow][] = [
  [
    'eip155:8453',
    {
      ...base,
      chainId: 8453,
      name: 'base',
      title: 'Base',
      assets: [
        {
          ...usdc,
          address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          domain: { name: 'USD Coin', version: '2' },
          method: 'eip3009',
          permits: true,
        },
      ],
      explorer: { name: 'BaseScan', url: 'https://basescan.org' },
    },
  ],
  [
    'eip155:84532',
    {
      ...base,
      chainId: 84532,
      name: 'base-sepolia',
      title: 'Base Sepolia',
      testnet: true,
      assets: [
        {
          ...usdc,
          address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
          domain: { name: 'USDC', version: '2' },
          method: 'eip3009',
          permits: true,
        },
      ],
      explorer: { name: 'BaseScan', url: 'https://sepolia.basescan.org' },
    },
  ],
  [
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    {
      family: 'svm',
      name: 'solana',
      title: 'Solana',
      testnet: false,
      coin: sol,
      assets: [{ ...usdc, program: TOKEN_PROGRAM, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
      explorer: { name: 'Solana Explorer', url: 'https://explorer.solana.com' },
    },
  ],
  [
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    {
      family: 'svm',
      name: 'solana-devnet',
      title: 'Solana devnet',
      testnet: true,
      coin: sol,
      assets: [{ ...usdc, program: TOKEN_PROGRAM, address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }],
      explorer: { name: 'Solana Explorer', url: 'https://explorer.solana.com', suffix: '?cluster=devnet' },
    },
  ],
]
