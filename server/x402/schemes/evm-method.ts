import type { Hex } from 'viem'
import type { z } from 'zod'
import type { EvmPayment } from '../payment'
import type { Reason } from '../reasons/reasons'
import type { EcdsaSignature } from '../signatures'
import type { ChannelState } from './batch-settlement/channel'
import type { SignedAct, SignedDeposit } from './batch-settlement/transfers'
import type { Proven } from './evm-signed'
import type { SignedExact } from './exact/transfers'
import type { SignedUpto } from './upto/transfers'

/** What to sign for one settlement of an EVM network, as the ledger stores it. */
export type SignedTransfer = SignedExact | SignedUpto | SignedDeposit | SignedAct

/** A call of a contract, and its result in a simulation. */
export type Call = { to: Hex; data: Hex }
export type CallResult = { success: boolean; returnData: Hex }

/** A payer's signed transaction that lets a contract take its tokens. `maxFeePerGas` is wei. */
export type Approval = { raw: Hex; hash: Hex; to: Hex; data: Hex; nonce: bigint; gas: bigint; maxFeePerGas: bigint }

/** What a payer's account must hold for its approval, in wei. */
export const costOfApproval = ({ gas, maxFeePerGas }: Approval): bigint => gas * maxFeePerGas

/** The most gas of a transfer: as a transaction of its own, and as one call of many. */
export type Gas = { alone: bigint; inBatch: bigint }

/** A log of a receipt, in lower case. `logIndex`: its place in the block, where the node reports it. */
export type EventLog = { address: Hex; topics: Hex[]; data: Hex; logIndex?: number | null | undefined }

/** A transfer that a receipt proves, as `proof` names it, and the place of its Transfer log in the block. */
export type ProvenTransfer = readonly [proof: string, logIndex: number | null]

/** Unix seconds by our clock and by the chain's latest block; the stricter one decides. */
export type Clock = { earliest: bigint; latest: bigint }

/** What the chain says of a payment. A value is null when the contract did not answer. */
export type State = {
  block: bigint
  blockTime: bigint
  assetHasCode: boolean
  /** Whether the authorization is used or cancelled. */
  used: boolean | null
  balance: bigint | null
  /** What Permit2 may take of the payer; null where nothing is asked. */
  allowance: bigint | null
  /** Whether the contract that makes the transfer is there. */
  hasProxy: boolean
  /** The channel of a deposit; null where the contract did not answer, unset where none is asked. */
  channel?: ChannelState | null
  simulation: { ok: true } | { ok: false; message: string }
}

/**
 * Another signature that a payer sent along, of the account `by`; null if it is of no form that a key makes. `wallet`: its bytes, where the
 * code of that account decides if it has code.
 */
export type Cosigned = { hash: Hex; signature: EcdsaSignature | null; by: Hex; wallet: Hex | null; reason: Reason }

/**
 * A rule of a payment. A judge reads the first broken rule of a list; an explanation reads all. `needs`: a broken rule after which this
 * one says nothing new.
 */
export type EvmRule<P = EvmPayment> = {
  name: string
  needs?: string
  reason(payment: P): Reason
  broken(payment: P, clock: Clock): boolean
}

/** A rule about the chain's state. */
export type StateRule<P = EvmPayment> = {
  name: string
  needs?: string
  reason: Reason
  /** Whether it is broken, or a sentence that says how. */
  broken(payment: P, state: State): boolean | string
}

/**
 * Something that is sent once on an EVM network by one of our signers, and of which the chain says whether it happened. The ledger knows only
 * this: a transfer with a payer's signature, or an act of a channel. All of it is pure.
 */
export type EvmAct<T extends SignedTransfer = SignedTransfer> = {
  /** The words for: too low a balance; an expired one; a transaction that failed; one that succeeded and moved nothing, where that is possible. */
  reasons: Record<'short' | 'expired' | 'failed', Reason> & { empty?: Reason }
  /** The contract that makes the transfer. */
  contract(transfer: T): Hex
  /** The only account that may make the transfer; null: anyone may. Such a transfer has a transaction of its own. */
  sender(transfer: T): Hex | null
  /** The call that makes the transfer. */
  call(transfer: T): Call
  /** The call that must be made before, in the same transaction, with its gas limit; null without one. */
  deployment(transfer: T): (Call & { gas: bigint }) | null
  /** Whether it may share its transaction with others of its kind and of other kinds. */
  shares: boolean
  /** The number of the argument of this call that names the payer. */
  payerWord(transfer: T): number
  gas(transfer: T): Gas
  /** The call whose result says whether what it does is done or cannot be done any more. */
  usedCall(transfer: T): Call
  isUsed(transfer: T, result: Hex): boolean
  /** Names the transfer among those of one transaction. */
  proof(transfer: T): string
  /** Names of which any one proves it, where one call does several things or none; unset: `proof` alone. */
  proofs?(transfer: T): readonly string[]
  /** All transfers of this method that a successful receipt proves. */
  proofsIn(logs: readonly EventLog[]): readonly ProvenTransfer[]
  /** How many transfers a successful receipt shows that have none of these names: their tokens moved or logged something else. */
  strays(logs: readonly EventLog[], names: ReadonlySet<string>): number
  /** A successful call of it shows that what it does is done, by it or by someone before: then it needs no log of its own. */
  isDoneBySuccess?: boolean
  /** What it moves, atomic units, where its authorization does not say it. */
  moved?(transfer: T): bigint
  /** The logs of which one appears when the authorization is used. */
  useLogs(transfer: T): { address: Hex; topics: (Hex | Hex[] | null)[] }
  /** Whether a log may be of this transfer's use. */
  isUse(transfer: T, log: EventLog): boolean
  /** What the calldata of a use has in it, where the logs do not name the authorization; null where they do. */
  mark(transfer: T): Hex | null
  /** The payer's own transaction that must be mined before the transfer; null without one. */
  approval(transfer: T): Approval | null
  /** Whether the transfer needs no approval any more. */
  isApproved(transfer: T, state: Pick<State, 'allowance'>): boolean
  /** What the ledger stores, as JSON: amounts and times are decimal digits. */
  stored: z.ZodType<T>
  store(transfer: T): object
}

/**
 * A way to transfer tokens with a payer's signature on EVM networks (docs/schemes.md). The judges and the explanations know
 * only this. All of it is pure.
 */
export type EvmMethod<P extends EvmPayment = EvmPayment, T extends SignedTransfer = SignedTransfer> = Omit<
  EvmAct<T>,
  'reasons'
> & {
  /** The rules that need no node, in the official order: before the signature is checked, and after. */
  formRules: readonly EvmRule<P>[]
  termRules: readonly EvmRule<P>[]
  /** Those of both lists that time cannot change. */
  timelessRules: readonly EvmRule<P>[]
  stateRules: readonly StateRule<P>[]
  /** The EIP-712 hash that the payer signed. Null when the requirements name no domain. */
  digest(payment: P): Hex | null
  /**
   * The method's words for: a signature that does not hold; a used authorization; an expired one; too low a balance; a transaction
   * that failed; a wallet whose factory is not called.
   */
  reasons: Record<'signature' | 'used' | 'expired' | 'short' | 'failed' | 'factory', Reason>
  /** A passed simulation proves the signature, because the contract checks this very digest. */
  simulationProves(payment: P): boolean
  /** Whether a failed simulation is the signature's fault, where the payer has code. `explained`: another state rule is broken. */
  blamesSignature(message: string, explained: boolean): boolean
  /** Whether wallets that are not deployed yet can pay by it. */
  deploys: boolean
  /** Whether a payment is good if its form, its terms and a simulation of its transfer are: no other state is asked. */
  simulationSuffices: boolean
  /** The transfer to send for a payment; without `state`, the one to simulate. */
  transfer(payment: P, proven: Proven, state?: State): T
  /** The identity of what was signed: a relayer can change none of these texts. */
  identity(payment: P): readonly string[]
  /** Everything else that was signed. */
  terms(payment: P): readonly string[]
  /** The first second in which the chain refuses the transfer. */
  expiresAt(payment: P): bigint
  /** The calls that read the state, and how to read their results. The simulated transfer is not among them. */
  stateCalls(transfer: T): readonly Call[]
  readState(
    results: readonly CallResult[],
    transfer: T,
  ): Pick<State, 'assetHasCode' | 'used' | 'balance' | 'allowance' | 'hasProxy' | 'channel'>
  /** The other signatures that must hold, in the official order. */
  cosigned(payment: P): readonly Cosigned[]
  /** The payload of a payment as official clients send it. */
  payload(transfer: T): object
}
