import type { Hex } from 'viem'
import { hashOf, type Random } from './random'
import { type Authorization, cancel, copyOf, move, type TokenLog, type TokenState, transfer, wordOf } from './token'
import type { Transaction } from './transaction'

/** A transaction in a block, with its result. */
export type Executed = {
  hash: Hex
  sender: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  logs: TokenLog[]
  ours: Transaction | null
}

/** An action of another account on the token. */
export type Deed =
  | { kind: 'use' | 'cancel'; authorization: Authorization; hash: Hex }
  | { kind: 'move'; from: Hex; to: Hex; value: bigint; hash: Hex }

/** A block and the state after it. */
export type Block = {
  number: bigint
  hash: Hex
  timestamp: bigint
  baseFee: bigint
  state: TokenState
  nonces: Map<Hex, bigint>
  executed: Executed[]
  deeds: Deed[]
}

/** A node's answer to sent bytes. */
export type Taken = 'accepted' | 'already known' | 'nonce too low' | 'replacement transaction underpriced'

export type Chain = {
  /** Seconds between blocks. */
  blockSeconds: number
  blocks: Block[]
  head(): Block
  pool(): Transaction[]
  take(transaction: Transaction): Taken
  /** Drops a transaction from the pool. */
  forget(hash: Hex): void
  /** Registers a signed authorization, which the token accepts. */
  signed(authorization: Authorization): void
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
}

const GAS = 86_000n

/** A chain with one token and these balances. `unlucky`: the chance that a block skips a transaction. */
export function createChain(
  { startsAt, blockSeconds, random, unlucky }: { startsAt: number; blockSeconds: number; random: Random; unlucky: () => number },
  balances: ReadonlyMap<Hex, bigint>,
): Chain {
  const signatures = new Set<string>()
  const pool = new Map<Hex, Transaction>()
  const listeners: ((block: Block) => void)[] = []
  let waiting: Deed[] = []
  let baseFee = 10n ** 9n
  let forks = 0
  const timeOf = (number: bigint) => BigInt(Math.floor(startsAt / 1_000)) + number * BigInt(blockSeconds)
  const genesis: Block = {
    ...{ number: 0n, hash: nameOf(0n, 0), timestamp: timeOf(0n), baseFee, executed: [], deeds: [] },
    state: { balances: new Map(balances), used: new Map() },
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
    const early = deeds.filter(() => random.chance(0.5))
    for (const deed of early) block.executed.push(...doneBy(deed, block))
    for (let again = true; again; ) {
      again = false
      for (const one of candidates) {
        if (one.nonce !== (nonces.get(one.sender) ?? 0n) || one.maxFeePerGas < baseFee) continue
        nonces.set(one.sender, one.nonce + 1n)
        block.executed.push(execute(one, block))
        again = true
      }
    }
    for (const deed of deeds) if (!early.includes(deed)) block.executed.push(...doneBy(deed, block))
    return block
  }

  function execute(one: Transaction, { state, timestamp }: Block): Executed {
    const { hash, sender, call } = one
    const said = call.transfers.map((authorization) =>
      transfer(state, { authorization, signed: signatures.has(wordOf(authorization)) }, timestamp, hash),
    )
    const logs = said.flatMap((one) => (typeof one === 'string' ? [] : one))
    const succeeded = call.kind !== 'one' || logs.length > 0
    const gasUsed = call.kind === 'nothing' ? 21_000n : GAS + 60_000n * BigInt(call.transfers.length - 1)
    return { hash, sender, succeeded, gasUsed, gasPrice: baseFee + one.tipPerGas, logs, ours: one }
  }

  function doneBy(deed: Deed, { state, timestamp }: Block): Executed[] {
    const { hash } = deed
    const common = { hash, sender: STRANGER, succeeded: true, gasUsed: GAS, gasPrice: baseFee, ours: null }
    if (deed.kind === 'move') {
      move(state, deed.from, deed.to, deed.value)
      return [{ ...common, logs: [] }]
    }
    if (deed.kind === 'cancel') return [{ ...common, logs: cancel(state, deed.authorization, hash) }]
    const logs = transfer(state, { authorization: deed.authorization, signed: true }, timestamp, hash)
    return typeof logs === 'string' ? [] : [{ ...common, logs }]
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
    blockSeconds,
    blocks,
    head,
    pool: () => [...pool.values()],
    take(transaction) {
      const { hash, sender, nonce } = transaction
      if (pool.has(hash)) return 'already known'
      if (nonce < (head().nonces.get(sender) ?? 0n)) return 'nonce too low'
      const rival = [...pool.values()].find((other) => other.sender === sender && other.nonce === nonce)
      const isDearer = (a: bigint, b: bigint) => a * 10n >= b * 11n
      if (rival && !(isDearer(transaction.maxFeePerGas, rival.maxFeePerGas) && isDearer(transaction.tipPerGas, rival.tipPerGas)))
        return 'replacement transaction underpriced'
      if (rival) pool.delete(rival.hash)
      pool.set(hash, transaction)
      return 'accepted'
    },
    forget: (hash) => void pool.delete(hash),
    signed: (authorization) => void signatures.add(wordOf(authorization)),
    isSigned: (authorization) => signatures.has(wordOf(authorization)),
    deed: (deed) => void waiting.push(deed),
    mine,
    reorganise(depth) {
      const gone = blocks.splice(Math.max(1, blocks.length - depth))
      forks++
      // Some undone transactions return to the pool, others are dropped.
      for (const { executed, deeds } of gone) {
        for (const { ours } of executed) if (ours && random.chance(0.7)) pool.set(ours.hash, ours)
        for (const deed of deeds) if (random.chance(0.5)) waiting.push(deed)
      }
      for (let left = gone.length; left >= 0; left--) mine()
    },
    setBaseFee(wei) {
      baseFee = wei
    },
    preview: () => build(head(), [], [...pool.values()]),
    onBlock: (listener) => void listeners.push(listener),
  }
}

const STRANGER: Hex = `0x${'5'.repeat(40)}`

const nameOf = (number: bigint, fork: number): Hex => {
  const part = (salt: number) => (hashOf(`${number}/${fork}/${salt}`) >>> 0).toString(16).padStart(8, '0')
  return `0x${Array.from({ length: 8 }, (_, salt) => part(salt)).join('')}`
}
