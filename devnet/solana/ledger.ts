import { type Blocks, blockhashLife, type Commitment } from './blocks'
import { feeOf } from './fees'
import type { History } from './history'
import type { Execution, Runtime, Simulation } from './runtime'
import { tokenBalances } from './tokens'
import type { TransactionErrorJson } from './transaction-errors'
import { isFullySigned, type WireTransaction } from './wire'

export const slotsInEpoch = 432_000

type LedgerOptions = {
  runtime: Runtime
  blocks: Blocks
  history: History
  /** Landed transactions whose blockhash may still be valid: message hash and block height, oldest first. */
  processed: [messageHash: string, height: number][]
  transactionCount: number
}

/** A chain's transactions: pending and landed. */
export type Ledger = {
  /** Takes a transaction for the next block. An invalid one is dropped then without an error, as on a real cluster. */
  submit: (transaction: WireTransaction) => void
  simulate: (transaction: WireTransaction, bank: { commitment: Commitment; anyBlockhash: boolean }) => Simulation
  /** Adds blocks; pending transactions are in the first. */
  advance: (count: number) => void
  /** Lets the chain's clock run so many seconds ahead of the machine's. */
  runAhead: (seconds: number) => void
  waiting: () => number
  processed: () => [string, number][]
  transactionCount: () => number
}

const mostWaiting = 10_000
// A transaction with one of these errors is still in its block and pays its fee.
const feeOnly: readonly unknown[] = ['InvalidProgramForExecution', 'MaxLoadedAccountsDataSizeExceeded', 'ProgramAccountNotFound']

/** The ledger of a chain from its kept state. `onLanding` is called for each landed transaction. */
export function createLedger(options: LedgerOptions, onLanding: () => void): Ledger {
  const { runtime, blocks, history } = options
  const processed = new Map(options.processed)
  const waiting: WireTransaction[] = []
  let { transactionCount } = options
  let aheadSeconds = 0

  const refusal = ({ blockhash, messageHash }: WireTransaction, commitment: Commitment): TransactionErrorJson | null => {
    if (!blocks.isValid(blockhash, commitment)) return 'BlockhashNotFound'
    return processed.has(messageHash) ? 'AlreadyProcessed' : null
  }
  const setClock = (): number => {
    const slot = blocks.slot('processed')
    const unixSeconds = Math.floor(Date.now() / 1_000) + aheadSeconds
    runtime.setClock(slot, Math.floor(slot / slotsInEpoch), unixSeconds)
    return unixSeconds
  }
  const land = (transaction: WireTransaction, blockTime: number): void => {
    if (refusal(transaction, 'processed') !== null || !isFullySigned(transaction)) return
    const { accounts, signature, signatures, instructions, bytes, messageHash } = transaction
    const before = balances(runtime, accounts)
    const preTokenBalances = tokenBalances(runtime, accounts)
    const fee = feeOf(signatures.length, instructions)
    const execution = runtime.execute(transaction)
    if (execution.err !== null && !isCharged(runtime, transaction, execution, before[0] ?? 0n, fee)) return
    processed.set(messageHash, blocks.height('processed'))
    transactionCount += 1
    history.add({
      signature,
      slot: blocks.slot('processed'),
      blockTime,
      err: execution.err,
      fee: fee.toString(),
      logs: execution.logs,
      innerInstructions: execution.innerInstructions,
      unitsConsumed: execution.unitsConsumed,
      raw: Buffer.from(bytes).toString('base64'),
      accounts: [...accounts],
      preBalances: before.map(String),
      postBalances: balances(runtime, accounts).map(String),
      preTokenBalances,
      postTokenBalances: tokenBalances(runtime, accounts),
    })
    onLanding()
  }
  const forgetExpired = (): void => {
    for (const [messageHash, height] of processed) {
      if (height >= blocks.height('processed') - blockhashLife) return
      processed.delete(messageHash)
    }
  }

  setClock()
  return {
    submit: (transaction) => {
      if (waiting.length < mostWaiting) waiting.push(transaction)
    },
    simulate: (transaction, { commitment, anyBlockhash }) => {
      const err = anyBlockhash ? null : refusal(transaction, commitment)
      if (err === null) return runtime.simulate(transaction)
      return { err, logs: [], unitsConsumed: 0, returnData: null, innerInstructions: [], after: () => undefined }
    },
    advance: (count) => {
      blocks.add(1)
      const blockTime = setClock()
      for (const transaction of waiting.splice(0)) land(transaction, blockTime)
      if (count > 1) {
        blocks.add(count - 1)
        setClock()
      }
      forgetExpired()
    },
    runAhead: (seconds) => {
      aheadSeconds = seconds
      setClock()
    },
    waiting: () => waiting.length,
    processed: () => [...processed],
    transactionCount: () => transactionCount,
  }
}

const balances = (runtime: Runtime, accounts: readonly string[]): bigint[] =>
  accounts.map((address) => runtime.account(address)?.lamports ?? 0n)

/** True when a failed transaction is in its block: its fee payer could pay the fee, and has paid it on return. */
function isCharged(runtime: Runtime, { accounts }: WireTransaction, { err }: Execution, before: bigint, fee: bigint): boolean {
  const [feePayer = ''] = accounts
  const payer = runtime.account(feePayer)
  if ((payer?.lamports ?? 0n) < before) return true
  if (payer === undefined || !feeOnly.includes(err) || payer.lamports < fee) return false
  runtime.setAccount(feePayer, { ...payer, lamports: payer.lamports - fee })
  return true
}
