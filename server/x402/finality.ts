/**
 * How certain a successful payment is (docs/finality.md): preconfirmed by the sequencer; in a block; so deep in the chain that we stop
 * watching it; or in a block that the network itself finalized.
 */
export const finalities = ['preconfirmed', 'included', 'safe', 'finalized'] as const

export type Finality = (typeof finalities)[number]

/** What is expected of a network: seconds from acceptance to each finality, by its usual blocks. */
export const expectedSeconds = {
  // Blocks of 2 s; finalized when Ethereum finalized the batch that holds the block.
  evm: { preconfirmed: 0.2, included: 2, safe: 12, finalized: 1_200 },
  // Two thirds of the stake voted within a second or two; 31 further slots root the block.
  svm: { included: 1.5, safe: 14, finalized: 14 },
} as const satisfies Record<'evm' | 'svm', Partial<Record<Finality, number>>>

/** Blocks on top of a payment's own that we wait for before it is safe; Solana's own finality decides there. */
export const SOLANA_DEPTH = 31
