import { z } from 'zod'
import type { SvmTransfer } from '../../x402/exact-svm'
import type { Rpc } from '../rpc'
import { account, invalidTransaction, readSlot, readValue, transactionError } from './answers'
import { readTokenAccount, type TokenAccount } from './token-account'

/** What a transaction would do: what both token accounts would be after it, or what it would fail with. */
export type Simulation =
  | { ok: true; slot: bigint; source: TokenAccount; destination: TokenAccount }
  | { ok: false; error: TransactionError; logs: readonly string[] }

/** What a transaction fails with: in words of the runtime, or with words about one of its parts. */
export type TransactionError = string | Record<string, unknown>

const simulation = z.object({
  err: transactionError,
  logs: z.array(z.string()).nullish(),
  accounts: z.array(account.nullable()).nullish(),
})

/**
 * Runs a transaction on the newest confirmed block, with the blockhash it has and without any signature of ours. Throws when the node
 * does not answer, or says that the transfer works and not what becomes of its accounts.
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
    const words = invalidTransaction(cause)
    if (words === null) throw cause
    return { ok: false, error: words, logs: [] }
  }
  const { err, logs, accounts } = readValue(simulation, answer, method)
  if (err !== null) return { ok: false, error: err, logs: logs ?? [] }
  const [from, to] = (accounts ?? []).map((one) => one && readTokenAccount(one))
  if (!from || !to) throw new Error('node says that a transfer works, and not what becomes of its accounts')
  return { ok: true, slot: readSlot(answer, method), source: from, destination: to }
}
