import type { Hex } from 'viem'
import { approve, invalidate, settle, settleData, takePermit } from './permit2'
import { hashOf, type Random } from './random'
import {
  type Authorization,
  type ContractLog,
  cancel,
  copyOf,
  move,
  permitWordOf,
  spentBy,
  type TokenState,
  type Trial,
  transferByToken,
  wordOf,
} from './token'
import type { Transaction } from './transaction'

/** A transaction in a block, with its result. */
export type Executed = {
  hash: Hex
  sender: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  logs: ContractLog[]
  /** The keys of the authorizations that it used. */
  uses: string[]
  /** Its calldata, where the service may read it. */
  input: Hex
  ours: Transaction | null
}

/** An action of another account on the token or Permit2. `permit`: it uses only the token's permit of a payment. */
export type Deed =
  | { kind: 'use' | 'cancel' | 'permit'; authorization: Authorization; hash: Hex }
  | { kind: 'move'; from: Hex; to: Hex; value: bigint; hash: Hex }
  | { kind: 'approve'; from: Hex; value: bigint; hash: Hex }

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
  /** Milliseconds between blocks. */
  blockMs: number
  /** Whether payers pay by Permit2 too. */
  hasPermit2: boolean
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
}

const GAS = 86_000n

type ChainOptions = Pick<Chain, 'blockMs' | 'hasPermit2'> & {
  startsAt: number
  random: Random
  /** The chance that a block skips a transaction. */
  unlucky: () => number
}

/** A chain with one token, Permit2 and the proxy of x402, from these balances and allowances. */
export function createChain(
  { startsAt, blockMs, hasPermit2, random, unlucky }: ChainOptions,
  { balances, allowances }: Pick<TokenState, 'balances' | 'allowances'>,
): Chain {
  const signatures = new Set<string>()
  const pool = new Map<Hex, Transaction>()
  const listeners: ((block: Block) => void)[] = []
  let waiting: Deed[] = []
  let baseFee = 10n ** 9n
  let forks = 0
  const timeOf = (number: bigint) => BigInt(Math.floor(startsAt / 1_000)) + (number * BigInt(blockMs)) / 1_000n
  const genesis: Block = {
    ...{ number: 0n, hash: nameOf(0n, 0), timestamp: timeOf(0n), baseFee, executed: [], deeds: [] },
    state: copyOf({ balances, allowances, used: new Map(), permits: new Map() }),
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
    const logs: ContractLog[] = []
    const uses: string[] = []
    for (const authorization of call.transfers) {
      const said = transfer(state, trialOf(authorization), timestamp, hash)
      if (typeof said === 'string') continue
      logs.push(...said)
      uses.push(spentBy(authorization))
    }
    const succeeded = call.kind !== 'one' || logs.length > 0
    const gasUsed = call.kind === 'nothing' ? 21_000n : GAS + 60_000n * BigInt(call.transfers.length - 1)
    return { hash, sender, succeeded, gasUsed, gasPrice: baseFee + one.tipPerGas, logs, uses, input: one.data, ours: one }
  }

  function trialOf(authorization: Authorization): Trial {
    const { from, permit } = authorization
    const permitSigned = permit !== null && signatures.has(permitWordOf(from, permit))
    return { authorization, signed: signatures.has(wordOf(authorization)), permitSigned }
  }

  function doneBy(deed: Deed, { state, timestamp }: Block): Executed[] {
    const { hash } = deed
    const cost = { succeeded: true, gasUsed: GAS, gasPrice: baseFee }
    const none: Executed = { hash, sender: STRANGER, ...cost, logs: [], uses: [], input: '0x', ours: null }
    if (deed.kind === 'move') {
      move(state, deed.from, deed.to, deed.value)
      return [none]
    }
    if (deed.kind === 'approve') return [{ ...none, logs: approve(state, deed.from, deed.value) }]
    const { authorization } = deed
    const { method, from, permit } = authorization
    if (deed.kind === 'permit') return permit ? [{ ...none, logs: takePermit(state, from, permit, timestamp) }] : []
    const uses = [spentBy(authorization)]
    if (deed.kind === 'cancel') {
      if (state.used.has(spentBy(authorization))) return [none]
      const logs = method === 'permit2' ? invalidate(state, authorization, hash) : cancel(state, authorization, hash)
      return [{ ...none, logs, uses }]
    }
    const logs = transfer(state, { authorization, signed: true, permitSigned: true }, timestamp, hash)
    const input = method === 'permit2' ? settleData(authorization, '0x') : '0x'
    return typeof logs === 'string' ? [] : [{ ...none, logs, uses, input }]
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
    ...{ blockMs, hasPermit2 },
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

/** Tries a transfer by its method's contract in a block at this time. Returns the logs, or the error. */
export function transfer(state: TokenState, trial: Trial, time: bigint, by: Hex): ContractLog[] | string {
  return (trial.authorization.method === 'permit2' ? settle : transferByToken)(state, trial, time, by)
}

const STRANGER: Hex = `0x${'5'.repeat(40)}`

const nameOf = (number: bigint, fork: number): Hex => {
  const part = (salt: number) => (hashOf(`${number}/${fork}/${salt}`) >>> 0).toString(16).padStart(8, '0')
  return `0x${Array.from({ length: 8 }, (_, salt) => part(salt)).join('')}`
}
