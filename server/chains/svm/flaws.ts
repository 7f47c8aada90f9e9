import { z } from 'zod'
import type { SvmTransfer } from '../../x402/exact-svm'
import { networks } from '../../x402/networks'
import type { SvmPayment } from '../../x402/payment'
import { type Failure, failure } from '../../x402/reasons'
import type { Account } from './answers'
import type { TransactionError } from './simulation'
import { readTokenAccount, type TokenAccount } from './token-account'

/** A failed simulation in the words of the payment's version of x402, with a text of its own. */
export function simulationFailure(payment: SvmPayment, message: string): Failure {
  const isFirst = payment.x402Version === 1
  return failure(isFirst ? 'transaction_simulation_failed' : 'invalid_exact_svm_transaction_simulation_failed', message)
}

const OURS: ReadonlySet<string> = new Set(['InsufficientFundsForFee', 'AccountNotFound', 'InvalidAccountForFee'])
const rentOfFeePayer = z.object({ InsufficientFundsForRent: z.object({ account_index: z.literal(0) }) })

/** Whether a transaction fails because its fee payer, who is one of ours, cannot pay. */
export function isFeePayerTrouble(error: TransactionError): boolean {
  return typeof error === 'string' ? OURS.has(error) : rentOfFeePayer.safeParse(error).success
}

const TOLD: ReadonlyMap<unknown, string> = new Map([
  ['BlockhashNotFound', "The transaction's blockhash has expired or is not known on chain yet; sign again with a new one."],
  ['AlreadyProcessed', 'This transaction was already processed on chain; sign a new one.'],
])
const outOfCompute = z.object({
  InstructionError: z.tuple([z.number(), z.enum(['ComputationalBudgetExceeded', 'ProgramFailedToComplete'])]),
})

/** What is wrong with a transaction where its error alone tells it; null where the accounts have to be looked at. */
export function toldFlaw(error: TransactionError, logs: readonly string[]): string | null {
  const compute = outOfCompute.safeParse(error).data?.InstructionError[1]
  // A program that ran out of units only "failed to complete": the log has the rest.
  if (compute && (compute === 'ComputationalBudgetExceeded' || logs.some((line) => /exceeded CUs|budget exceeded/i.test(line)))) {
    return 'The transfer needs more compute units than the transaction allows; sign one with a higher limit.'
  }
  return TOLD.get(error) ?? null
}

/** Why a transfer between these accounts fails, as they are now; the node's words where nothing is wrong with them. */
export function accountFlaw(
  payment: SvmPayment,
  transfer: SvmTransfer,
  accounts: { source: Account | null; destination: Account | null },
  error: TransactionError,
): Failure {
  const { source, destination } = transfer
  const { title } = networks[payment.network]
  const failed = (message: string) => simulationFailure(payment, message)
  if (!accounts.destination) {
    return failed(
      `payTo has no USDC account on ${title} (${destination}); it must be opened before it can be paid; we never create it.`,
    )
  }
  if (!accounts.source) return lacking(failed(`The payer has no USDC account on ${title} (${source}).`))
  const from = readTokenAccount(accounts.source)
  const to = readTokenAccount(accounts.destination)
  if (!from) return failed(`The source (${source}) is not a token account.`)
  if (!to) return failed(`The destination (${destination}) is not a token account.`)
  const foreign = [from, to].find(({ mint }) => mint !== transfer.mint)
  if (foreign)
    return failed(`The ${foreign === from ? `source (${source})` : `destination (${destination})`} is of another mint.`)
  const frozen = [from, to].find((one) => one.frozen)
  if (frozen) return failed(`The ${frozen === from ? `source (${source})` : `destination (${destination})`} is frozen.`)
  const flaw = ownerFlaw(payment, transfer, { source: from, destination: to })
  if (flaw) return flaw
  if (from.amount < transfer.amount) return lacking(failed("The payer's balance is lower than the amount."))
  return failed(`The transfer would fail on chain: ${wordsOf(error)}`)
}

/** Whose accounts they are: only the payer and payTo were screened, so nobody else's money is moved, and to nobody else. Null when both are theirs. */
export function ownerFlaw(
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

function lacking(flaw: Failure): Failure {
  return { ...flaw, recorded: 'insufficient_funds' }
}

// The node's own words, printable and bounded: they end up in an answer.
function wordsOf(error: TransactionError): string {
  return (typeof error === 'string' ? error : JSON.stringify(error))
    .replace(/[^\w:.,' -]+/g, ' ')
    .trim()
    .slice(0, 120)
}
