import type { KeyPairSigner } from '@solana/kit'
import type { Blocks, Commitment } from './blocks'
import type { clusters } from './clusters'
import type { History } from './history'
import type { Ledger } from './ledger'
import type { Runtime } from './runtime'

/** Everything that a method may read or change. */
export type Node = {
  cluster: (typeof clusters)[keyof typeof clusters]
  runtime: Runtime
  blocks: Blocks
  ledger: Ledger
  history: History
  faucet: KeyPairSigner
  /** Makes blocks on a timer, or only on request. */
  produce: (how: 'frozen' | 'running') => void
  /** Marks the state as changed, to be saved. */
  touched: () => void
}

const apiVersion = '3.0.0'

/** A value with its slot. Accounts are those of the newest block at every commitment. */
export function inContext<T>({ blocks }: Node, commitment: Commitment, value: T) {
  return { context: { apiVersion, slot: blocks.slot(commitment) }, value }
}
