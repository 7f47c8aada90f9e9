import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

export const commitments = ['processed', 'confirmed', 'finalized'] as const
export type Commitment = (typeof commitments)[number]

/** How long a blockhash may be used: in that many blocks after its own. */
export const blockhashLife = 150

export type BlocksOptions = {
  /** What the blockhashes are made of, so that none but the height has to be kept. */
  seed: string
  height: number
  /** How many slots after its own a block is confirmed and finalized. */
  confirmedSlots: number
  finalizedSlots: number
}

/** The blocks of a chain: heights, slots and hashes, without what is in them. */
export type Blocks = {
  height: (commitment: Commitment) => number
  slot: (commitment: Commitment) => number
  hash: (height: number) => string
  /** Whether a transaction with this blockhash may be in the newest block of a commitment. */
  isValid: (blockhash: string, commitment: Commitment) => boolean
  /** How settled the block of a slot is by now. */
  commitmentOf: (slot: number) => Commitment
  add: (count: number) => void
}

// The real chain skips slots, so its slots and its heights are never the same numbers.
const skippedSlots = 1_000

/** The chain of blocks at a height; it keeps what a blockhash's life needs and no more. */
export function createBlocks({ seed, height: start, confirmedSlots, finalizedSlots }: BlocksOptions): Blocks {
  const hash = (height: number): string => base58.encode(createHash('sha256').update(`${seed}:${height}`).digest())
  const window = new Map<string, number>()
  let newest = start
  const behind = { processed: 0, confirmed: confirmedSlots, finalized: Math.max(confirmedSlots, finalizedSlots) }
  // Seen from the newest finalized block, whose past reaches further back.
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
