import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

export const commitments = ['processed', 'confirmed', 'finalized'] as const
export type Commitment = (typeof commitments)[number]

/** A blockhash is valid in this many blocks after its own. */
export const blockhashLife = 150

type BlocksOptions = {
  /** All blockhashes derive from it, so only the height is kept. */
  seed: string
  height: number
  /** Slots from a block to its confirmation and finality. */
  confirmedSlots: number
  finalizedSlots: number
}

/** The blocks of a chain without their transactions: heights, slots and hashes. */
export type Blocks = {
  height: (commitment: Commitment) => number
  slot: (commitment: Commitment) => number
  hash: (height: number) => string
  /** True when a transaction with this blockhash may be in the newest block at a commitment. */
  isValid: (blockhash: string, commitment: Commitment) => boolean
  /** The commitment that the block of a slot has reached. */
  commitmentOf: (slot: number) => Commitment
  add: (count: number) => void
}

// The real chain skips slots, so slots and heights differ.
const skippedSlots = 1_000

/** Blocks from a height on; keeps only the blockhashes that are still valid. */
export function createBlocks({ seed, height: start, confirmedSlots, finalizedSlots }: BlocksOptions): Blocks {
  const hash = (height: number): string => base58.encode(createHash('sha256').update(`${seed}:${height}`).digest())
  const window = new Map<string, number>()
  let newest = start
  const behind = { processed: 0, confirmed: confirmedSlots, finalized: Math.max(confirmedSlots, finalizedSlots) }
  // Counted from the newest finalized block, which is older than the newest.
  const remembered = blockhashLife + behind.finalized
  const remember = (from: number): void => {
    const oldest = newest - remembered
    for (let height = Math.max(from, oldest); height <= newest; height += 1) window.set(hash(height), height)
    for (const [old, height] of window) {
      if (height >= oldest) break
      window.delete(old)
    }
  }
  remember(0)
  const height = (commitment: Commitment): number => Math.max(0, newest - behind[commitment])
  const slot = (commitment: Commitment): number => height(commitment) + skippedSlots
  return {
    height,
    slot,
    hash,
    isValid: (blockhash, commitment) => {
      const made = window.get(blockhash)
      const now = height(commitment)
      return made !== undefined && made <= now && now <= made + blockhashLife
    },
    commitmentOf: (of) => commitments.findLast((commitment) => of <= slot(commitment)) ?? 'processed',
    add: (count) => {
      const from = newest + 1
      newest += count
      remember(from)
    },
  }
}
