import { base58 } from '@scure/base'
import { z } from 'zod'
import { assetOn, networkRow } from '../../x402/networks/networks'
import type { SvmPayment } from '../../x402/payment'
import { type Failure, svmFailure } from '../../x402/reasons/reasons'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import type { SvmTransfer } from '../../x402/schemes/exact/svm/rules'
import type { Rpc } from '../rpc'
import { type Account, account, invalidTransaction, readSlot, readValue, transactionError } from './rpc'

/** The result of a simulation: both token accounts after it, or its error. */
type Simulation =
  | { ok: true; slot: bigint; source: TokenAccount; destination: TokenAccount }
  | { ok: false; error: TransactionError; logs: readonly string[] }

/** The error of a transaction, by name or with details about one instruction. */
export type TransactionError = string | Record<string, unknown>

const simulation = z.object({
  err: transactionError,
  logs: z.array(z.string()).nullish(),
  accounts: z.array(account.nullable()).nullish(),
})

/**
 * Simulates a transaction on the newest confirmed block, with its own blockhash and without our signature. Throws on no response or one
 * without the accounts.
 */
export async function simulate(rpc: Rpc, raw: string, { source, destination }: SvmTransfer): Promise<Simulation> {
  const method = 'simulateTransaction'
  const options = {
    sigVerify: false,
    replaceRecentBlockhash: false,
    commitment: 'confirmed',
    encoding: 'base64',
    accounts: { encoding: 'base64', addresses: [source, destination] },
  }
  let answer: unknown
  try {
    answer = await rpc(method, [raw, options], 'alone')
  } catch (cause) {
    const message = invalidTransaction(cause)
    if (message === null) throw cause
    return { ok: false, error: message, logs: [] }
  }
  const { err, logs, accounts } = readValue(simulation, answer, method)
  if (err !== null) return { ok: false, error: err, logs: logs ?? [] }
  const [from, to] = (accounts ?? []).map((one) => one && readTokenAccount(one))
  if (!from || !to) throw new Error('node reported a successful simulation without its accounts')
  return { ok: true, slot: readSlot(answer, method), source: from, destination: to }
}

/** An account of a token program. Addresses are base58, the amount is in atomic units. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; frozen: boolean }

export const TOKEN_ACCOUNT_BYTES = 165
const STATE_AT = 108
const INITIALIZED = 1
const FROZEN = 2
// Token-2022 writes the kind of an account behind the fields of SPL Token, and never lets a token account be as long as a multisig.
const KIND_AT = TOKEN_ACCOUNT_BYTES
const KIND_ACCOUNT = 2
const MULTISIG_BYTES = 355

/** Reads an account, or its first 166 bytes, as a token account; null for any other account. */
export function readTokenAccount({ owner, data }: Account): TokenAccount | null {
  const state = data[STATE_AT]
  if (!isTokenAccount(owner, data) || (state !== INITIALIZED && state !== FROZEN)) return null
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: new DataView(data.buffer, data.byteOffset).getBigUint64(64, true),
    frozen: state === FROZEN,
  }
}

function isTokenAccount(owner: string, data: Uint8Array): boolean {
  if (data.length === TOKEN_ACCOUNT_BYTES) return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
  const extended = data.length > TOKEN_ACCOUNT_BYTES && data.length !== MULTISIG_BYTES
  return owner === TOKEN_2022_PROGRAM && extended && data[KIND_AT] === KIND_ACCOUNT
}

/** A failed simulation, in the codes of the payment's x402 version. */
export function simulationFailure(payment: SvmPayment, message: string): Failure {
  return svmFailure(payment, 'invalid_exact_svm_transaction_simulation_failed', message)
}

const OURS: ReadonlySet<string> = new Set(['InsufficientFundsForFee', 'AccountNotFound', 'InvalidAccountForFee'])
const rentOfFeePayer = z.object({ InsufficientFundsForRent: z.object({ account_index: z.literal(0) }) })

/** Whether a transaction fails because our fee payer cannot pay. */
export function isFeePayerTrouble(error: TransactionError): boolean {
  return typeof error === 'string' ? OURS.has(error) : rentOfFeePayer.safeParse(error).success
}

const KNOWN_ERRORS: ReadonlyMap<unknown, string> = new Map([
  ['BlockhashNotFound', "The transaction's blockhash has expired or is not known on chain yet; sign again with a new one."],
  ['AlreadyProcessed', 'This transaction was already processed on chain; sign a new one.'],
])
const outOfCompute = z.object({
  InstructionError: z.tuple([z.number(), z.enum(['ComputationalBudgetExceeded', 'ProgramFailedToComplete'])]),
})

/** The fault of a transaction where its error alone explains it; null where the accounts must be checked. */
export function knownFault(error: TransactionError, logs: readonly string[]): string | null {
  const compute = outOfCompute.safeParse(error).data?.InstructionError[1]
  // A program without units left only "failed to complete": the log has the rest.
  if (compute && (compute === 'ComputationalBudgetExceeded' || logs.some((line) => /exceeded CUs|budget exceeded/i.test(line)))) {
    return 'The transfer needs more compute units than the transaction allows; sign one with a higher limit.'
  }
  return KNOWN_ERRORS.get(error) ?? null
}

/** Why a transfer between these accounts fails now; the node's error when they look right. */
export function accountFault(
  payment: SvmPayment,
  transfer: SvmTransfer,
  accounts: { source: Account | null; destination: Account | null },
  error: TransactionError,
): Failure {
  const { source, destination } = transfer
  const { title } = networkRow(payment.network)
  const symbol = assetOn(payment.network, payment.asset)?.symbol ?? 'token'
  const failed = (message: string) => simulationFailure(payment, message)
  if (!accounts.destination) {
    return failed(
      `payTo has no ${symbol} account on ${title} (${destination}); it must be opened before it can be paid; we never create it.`,
    )
  }
  if (!accounts.source) return lacking(failed(`The payer has no ${symbol} account on ${title} (${source}).`))
  const from = readTokenAccount(accounts.source)
  const to = readTokenAccount(accounts.destination)
  const [atSource, atDestination] = [from, to].map((held) => unusable(held, transfer.mint))
  if (atSource) return failed(`The source (${source}) ${atSource}.`)
  if (atDestination) return failed(`The destination (${destination}) ${atDestination}.`)
  const foreign = from && to && ownerFault(payment, transfer, { source: from, destination: to })
  if (foreign) return foreign
  if (from && from.amount < transfer.amount) return lacking(failed("The payer's balance is lower than the amount."))
  return failed(`The transfer would fail on chain: ${errorText(error)}`)
}

function unusable(held: TokenAccount | null, mint: string): string | null {
  if (!held) return 'is not a token account'
  if (held.mint !== mint) return 'is of another mint'
  return held.frozen ? 'is frozen' : null
}

/** The fault in the owners of both accounts: only payer and payTo are screened, so only theirs may take part. Null when both match. */
export function ownerFault(
  payment: SvmPayment,
  { payer, source, destination }: SvmTransfer,
  accounts: { source: TokenAccount; destination: TokenAccount },
): Failure | null {
  if (accounts.source.owner !== payer) {
    return simulationFailure(payment, `The source (${source}) is not the payer's own; a delegate's transfer is not accepted.`)
  }
  if (accounts.destination.owner !== payment.payTo) {
    return simulationFailure(payment, `The destination (${destination}) belongs to another wallet than payTo.`)
  }
  return null
}

function lacking(fault: Failure): Failure {
  return { ...fault, recorded: 'insufficient_funds' }
}

const instructionError = z.object({
  InstructionError: z.tuple([
    z.int(),
    z.union([
      z.object({ Custom: z.int() }).transform(({ Custom }) => `custom program error 0x${Custom.toString(16)}`),
      z.record(z.string(), z.unknown()).transform((detail) => Object.keys(detail).join(' ')),
      z.string(),
    ]),
  ]),
})

/** The error of a transaction as explorers show it: printable and bounded, because it ends up in a response. */
export function errorText(error: TransactionError): string {
  const [index, detail] = instructionError.safeParse(error).data?.InstructionError ?? []
  const name = typeof error === 'string' ? error : Object.keys(error).join(' ')
  const text = index === undefined ? name : `instruction ${index}: ${detail}`
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 120)
}
