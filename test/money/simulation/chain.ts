import type { Hex } from 'viem'
import { type Block, type Deed, doneBy, execute, isCovered } from './block'
import { hashOf, type Random } from './random'
import { type Authorization, copyOf, permitWordOf, type TokenState, type Trial, wordOf } from './token'
import type { Transaction } from './transaction'

/** A node's answer to sent bytes. */
export type Taken =
  | 'accepted'
  | 'already known'
  | 'nonce too low'
  | 'replacement transaction underpriced'
  | 'insufficient funds for gas * price + value'

export type Chain = {
  /** Milliseconds between blocks. */
  blockMs: number
  /** Whether payers pay by Permit2 too. */
  hasPermit2: boolean
  /** Whether payers have ether of their own, and pay for their own transactions with it. */
  hasEther: boolean
  blocks: Block[]
  head(): Block
  pool(): Transaction[]
  take(transaction: Transaction): Taken
  /** Drops a transaction from the pool. */
  forget(hash: Hex): void
  /** Registers a signed authorization with its permit, which the contracts accept. */
  signed(authorization: Authorization): void
  /** The authorization with what the contracts would find of its signatures. */
  trialOf(authorization: Authorization): Trial
  isSigned(authorization: Authorization): boolean
  deed(deed: Deed): void
  /** Mines the next block. */
  mine(): Block
  /** Replaces the newest `depth` blocks by others and adds one. */
  reorganise(depth: number): void
  setBaseFee(wei: bigint): void
  /** The block that the pool would produce next. */
  preview(): Block
  /** Calls the listener with each new block. */
  onBlock(listener: (block: Block) => void): void
  /** Calls the watcher with each transaction that the pool takes. */
  onTaken(watcher: (transaction: Transaction) => void): void
}

type ChainOptions = Pick<Chain, 'blockMs' | 'hasPermit2'> & {
  startsAt: number
  random: Random
  /** The chance that a block skips a transaction. */
  unlucky: () => number
}

/** A chain with one token, Permit2 and the proxy of x402, from these balances and allowances. */
export function createChain(
  { startsAt, blockMs, hasPermit2, random, unlucky }: ChainOptions,
  { balances, allowances, ether }: Pick<TokenState, 'balances' | 'allowances' | 'ether'>,
): Chain {
  const signatures = new Set<string>()
  const pool = new Map<Hex, Transaction>()
  const listeners: ((block: Block) => void)[] = []
  const watchers: ((transaction: Transaction) => void)[] = []
  let waiting: Deed[] = []
  let baseFee = 10n ** 9n
  let forks = 0
  const timeOf = (number: bigint) => BigInt(Math.floor(startsAt / 1_000)) + (number * BigInt(blockMs)) / 1_000n
  const genesis: Block = {
    number: 0n,
    hash: nameOf(0n, 0),
    timestamp: timeOf(0n),
    baseFee,
    executed: [],
    deeds: [],
    state: copyOf({
      balances,
      allowances,
      ether,
      used: new Map(),
      permits: new Map(),
      channels: new Map(),
      receivers: new Map(),
    }),
    nonces: new Map(),
  }
  const blocks: Block[] = [genesis]
  const head = () => blocks.at(-1) ?? genesis

  function build(parent: Block, deeds: Deed[], candidates: readonly Transaction[]): Block {
    const number = parent.number + 1n
    const state = copyOf(parent.state)
    const nonces = new Map(parent.nonces)
    const block: Block = {
      number,
      hash: nameOf(number, forks),
      timestamp: timeOf(number),
      baseFee,
      state,
      nonces,
      executed: [],
      deeds,
    }
    const early = deeds.filter((deed) => random.chance(0.5) || (deed.kind === 'use' && deed.isFirst))
    for (const deed of early) block.executed.push(...doneBy(deed, block))
    for (let again = true; again; ) {
      again = false
      for (const one of candidates) {
        if (one.nonce !== (nonces.get(one.sender) ?? 0n) || one.maxFeePerGas < baseFee || !isCovered(one, state)) continue
        nonces.set(one.sender, one.nonce + 1n)
        block.executed.push(execute(one, block, trialOf))
        again = true
      }
    }
    for (const deed of deeds) if (!early.includes(deed)) block.executed.push(...doneBy(deed, block))
    return block
  }

  function trialOf(authorization: Authorization): Trial {
    const { from, permit } = authorization
    const permitSigned = permit !== null && signatures.has(permitWordOf(from, permit))
    return { authorization, signed: signatures.has(wordOf(authorization)), permitSigned }
  }

  function add(block: Block): Block {
    blocks.push(block)
    for (const { hash } of block.executed) pool.delete(hash)
    for (const { hash, sender, nonce } of pool.values()) if (nonce < (block.nonces.get(sender) ?? 0n)) pool.delete(hash)
    for (const listener of listeners) listener(block)
    return block
  }

  function mine(): Block {
    const deeds = waiting
    waiting = []
    return add(
      build(
        head(),
        deeds,
        [...pool.values()].filter(() => !random.chance(unlucky())),
      ),
    )
  }

  return {
    blockMs,
    hasPermit2,
    hasEther: ether.size > 0,
    blocks,
    head,
    pool: () => [...pool.values()],
    take(transaction) {
      const { hash, sender, nonce } = transaction
      if (pool.has(hash)) return 'already known'
      if (nonce < (head().nonces.get(sender) ?? 0n)) return 'nonce too low'
      if (!isCovered(transaction, head().state)) return 'insufficient funds for gas * price + value'
      const rival = [...pool.values()].find((other) => other.sender === sender && other.nonce === nonce)
      const isDearer = (a: bigint, b: bigint) => a * 10n >= b * 11n
      if (rival && !(isDearer(transaction.maxFeePerGas, rival.maxFeePerGas) && isDearer(transaction.tipPerGas, rival.tipPerGas)))
        return 'replacement transaction underpriced'
      if (rival) pool.delete(rival.hash)
      pool.set(hash, transaction)
      for (const watcher of watchers) watcher(transaction)
      return 'accepted'
    },
    forget: (hash) => void pool.delete(hash),
    signed(authorization) {
      const { from, permit } = authorization
      signatures.add(wordOf(authorization))
      if (permit) signatures.add(permitWordOf(from, permit))
    },
    trialOf,
    isSigned: (authorization) => signatures.has(wordOf(authorization)),
    deed: (deed) => void waiting.push(deed),
    mine,
    reorganise(depth) {
      const gone = blocks.splice(Math.max(1, blocks.length - depth))
      forks++
      // Some undone transactions return to the pool, others are dropped.
      for (const { executed, deeds } of gone) {
        for (const one of executed.flatMap(({ ours, payers }) => ours ?? payers ?? []))
          if (random.chance(0.7)) pool.set(one.hash, one)
        for (const deed of deeds) if (random.chance(0.5)) waiting.push(deed)
      }
      for (let left = gone.length; left >= 0; left--) mine()
    },
    setBaseFee(wei) {
      baseFee = wei
    },
    preview: () => build(head(), [], [...pool.values()]),
    onBlock: (listener) => void listeners.push(listener),
    onTaken: (watcher) => void watchers.push(watcher),
  }
}

const nameOf = (number: bigint, fork: number): Hex => {
  const part = (salt: number) => (hashOf(`${number}/${fork}/${salt}`) >>> 0).toString(16).padStart(8, '0')
  return `0x${Array.from({ length: 8 }, (_, salt) => part(salt)).join('')}`
}
