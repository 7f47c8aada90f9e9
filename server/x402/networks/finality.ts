import { type NetworkId, networkRow } from './networks'

/**
 * How certain a successful payment is (docs/finality.md): preconfirmed by the sequencer; in a block; so deep in the chain that we stop
 * watching it; or in a block that the network itself finalized.
 */
export const finalities = ['preconfirmed', 'included', 'safe', 'finalized'] as const

export type Finality = (typeof finalities)[number]

/** Blocks on top of a payment's own that we wait for before it is safe; Solana's own finality decides there. */
const SOLANA_DEPTH = 31

/** The depth that `FINALITY_DEPTH` has if unset. */
const USUAL_DEPTH = 5

/** The blocks on top of a payment's own after which it is safe; `usual`: FINALITY_DEPTH. */
export function safeDepth(network: NetworkId, usual: number): number {
  const row = networkRow(network)
  return row.family === 'svm' ? SOLANA_DEPTH : (row.depth ?? usual)
}

/** What is expected of a network: seconds from acceptance to each finality, by its usual blocks. */
export function expectedSeconds(
  network: NetworkId,
): Record<Exclude<Finality, 'preconfirmed'>, number> & { preconfirmed?: number } {
  const row = networkRow(network)
  // Two thirds of the stake voted within a second or two; 31 further slots root the block.
  if (row.family === 'svm') return { included: 1.5, safe: 14, finalized: 14 }
  const { blockSeconds, finalizedSeconds } = row
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10
  return {
    preconfirmed: Math.min(0.2, blockSeconds),
    included: blockSeconds,
    safe: tenths(blockSeconds * (1 + safeDepth(network, USUAL_DEPTH))),
    finalized: Math.max(finalizedSeconds, blockSeconds),
  }
}
