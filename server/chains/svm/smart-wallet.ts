import { z } from 'zod'
import type { SvmPayment } from '../../x402/payment'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { SvmTransfer } from '../../x402/schemes/exact/svm/instructions'
import { payingTransfer } from '../../x402/schemes/exact/svm/smart-wallet'
import type { Rpc } from '../rpc'
import { transfersOf } from './effects'
import { invalidTransaction, readSlot, readValue, transactionError } from './rpc'
import { withoutFeePayerSignature } from './signer'
import { errorText, isFeePayerTrouble, knownFault, type TokenAccount, type TransactionError } from './simulation'

/** What the simulation of a smart wallet's transaction shows: the transfer that pays, or why there is none. */
type SmartSimulation = { paid: SvmTransfer; slot: bigint } | { failed: Failure } | { trouble: 'fee payer' }

const simulation = z.object({
  err: transactionError,
  logs: z.array(z.string()).nullish(),
  innerInstructions: z.unknown(),
})

/**
 * Simulates a smart wallet's transaction on the newest confirmed block and looks for its transfer among all that it makes. Throws when
 * the node does not answer or does not report them.
 */
export async function simulateSmartWallet(rpc: Rpc, payment: SvmPayment): Promise<SmartSimulation> {
  const method = 'simulateTransaction'
  const options = {
    sigVerify: false,
    replaceRecentBlockhash: false,
    commitment: 'confirmed',
    encoding: 'base64',
    innerInstructions: true,
  }
  const { transaction } = payment.transfer
  let answer: unknown
  try {
    answer = await rpc(method, [withoutFeePayerSignature(transaction), options], 'alone')
  } catch (cause) {
    const message = invalidTransaction(cause)
    if (message === null) throw cause
    return judged(message, [])
  }
  const { err, logs, innerInstructions } = readValue(simulation, answer, method)
  if (err !== null) return judged(err, logs ?? [])
  const found = payingTransfer(payment, transfersOf(transaction, innerInstructions))
  return 'failed' in found ? found : { ...found, slot: readSlot(answer, method) }
}

function judged(error: TransactionError, logs: readonly string[]): SmartSimulation {
  if (isFeePayerTrouble(error)) return { trouble: 'fee payer' }
  return { failed: smartFailure(knownFault(error, logs) ?? `The transaction would fail on chain: ${errorText(error)}`) }
}

/** A smart wallet's transaction that would fail, or must not be sent. */
export const smartFailure = (message: string): Failure => failure('invalid_exact_svm_smart_wallet_simulation_failed', message)

/** The fault of a smart wallet's two accounts before its transaction; null when both belong to payer and payTo. */
export function smartOwnerFault(
  payment: SvmPayment,
  { payer, source, destination }: SvmTransfer,
  accounts: { source: TokenAccount | null; destination: TokenAccount | null },
): Failure | null {
  if (accounts.source?.owner !== payer) {
    return smartFailure(`The source (${source}) is not the payer's own; a delegate's transfer is not accepted.`)
  }
  if (accounts.destination?.owner !== payment.payTo) {
    return smartFailure(`The destination (${destination}) belongs to another wallet than payTo, or does not exist yet.`)
  }
  return null
}
