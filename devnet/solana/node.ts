import type { KeyPairSigner } from '@solana/kit'
import type { Blocks, Commitment } from './blocks'
import type { clusters } from './clusters'
import type { History } from './history'
import type { Ledger } from './ledger'
import type { Runtime } from './runtime'

/** Everything a method may ask or steer. */
export type Node = {
  cluster: (typeof clusters)[keyof typeof clusters]
  runtime: Runtime
  blocks: Blocks
  ledger: Ledger
  history: History
  faucet: KeyPairSigner
  /** Lets blocks come by themselves, or only when they are asked for. */
  produce: (how: 'frozen' | 'running') => void
  /** Says that something is worth keeping. */
  touched: () => void
}

const apiVersion = '3.0.0'

/** A value with the slot it is of. Accounts are those of the newest block, whatever the commitment. */
export function inContext<T>({ blocks }: Node, commitment: Commitment, value: T) {
  return { context: { apiVersion, slot: blocks.slot(commitment) }, value }
}
