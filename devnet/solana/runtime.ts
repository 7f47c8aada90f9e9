import { base58 } from '@scure/base'
// The inner module: the outer one wants every transaction signed, and brings a second copy of a large library along.
import {
  Clock,
  type FailedTransactionMetadata,
  Account as InnerAccount,
  LiteSvm,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js'
import { instructionErrorName, type TransactionErrorJson, transactionErrorName } from './transaction-errors'
import type { WireTransaction } from './wire'

/** An account; addresses are base58. */
export type Account = { lamports: bigint; data: Uint8Array; owner: string; executable: boolean }
export type Execution = {
  err: TransactionErrorJson | null
  logs: string[]
  unitsConsumed: number
  returnData: { programId: string; data: [string, 'base64'] } | null
  innerInstructions: InnerGroup[]
}
/** The instructions that one instruction made; accounts are places among the transaction's, data is in base58. */
type InnerGroup = { index: number; instructions: InnerInstruction[] }
type InnerInstruction = { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }
export type Simulation = Execution & { after: (address: string) => Account | undefined }

/** The virtual machine: accounts and programs, without blocks, fees and signatures. */
export type Runtime = {
  account: (address: string) => Account | undefined
  setAccount: (address: string, account: Account) => void
  execute: (transaction: WireTransaction) => Execution
  simulate: (transaction: WireTransaction) => Simulation
  setClock: (slot: number, epoch: number, unixSeconds: number) => void
  /** The lamports that an account of this size must hold. */
  rent: (bytes: number) => bigint
  snapshot: () => Uint8Array
}

// Wallets add instructions for Lighthouse, which the machine does not have. The first memo program accepts any accounts and most data.
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
const MEMO_V1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'

/** Puts a copy of one program at the address of another. */
function standIn(svm: LiteSvm, address: string, program: string): void {
  const original = outer(svm.getAccount(base58.decode(program)))
  if (!original) throw new Error(`the virtual machine has no program ${program}`)
  svm.addProgramWithLoader(base58.decode(address), original.data, base58.decode(original.owner))
}

/** Starts the virtual machine, new or from a snapshot of the same version; a damaged snapshot ends the process. */
export function createRuntime(snapshot?: Uint8Array): Runtime {
  const svm = snapshot === undefined ? new LiteSvm() : LiteSvm.fromBytes(snapshot)
  // The machine checks blockhashes, signatures and repeats in its own way; the ledger does all three as a node does.
  svm.setBlockhashCheck(false)
  svm.setSigverify(false)
  svm.setTransactionHistory(0n)
  if (snapshot === undefined) standIn(svm, LIGHTHOUSE, MEMO_V1)
  const account = (address: string): Account | undefined => outer(svm.getAccount(base58.decode(address)))
  return {
    account,
    setAccount: (address, { lamports, data, owner, executable }) =>
      svm.setAccount(base58.decode(address), new InnerAccount(lamports, data, base58.decode(owner), executable, 0n)),
    execute: ({ version, bytes }) =>
      execution(version === 'legacy' ? svm.sendLegacyTransaction(bytes) : svm.sendVersionedTransaction(bytes)),
    simulate: ({ version, bytes }) => {
      const result = version === 'legacy' ? svm.simulateLegacyTransaction(bytes) : svm.simulateVersionedTransaction(bytes)
      const touched =
        'postAccounts' in result ? new Map(result.postAccounts().map(entry)) : new Map<string, Account | undefined>()
      return { ...execution(result), after: (address) => (touched.has(address) ? touched.get(address) : account(address)) }
    },
    setClock: (slot, epoch, unixSeconds) =>
      svm.setClock(new Clock(BigInt(slot), 0n, BigInt(epoch), BigInt(epoch + 1), BigInt(unixSeconds))),
    rent: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    snapshot: () => svm.toBytes(),
  }
}

type Outcome = TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo

function execution(outcome: Outcome): Execution {
  const meta = 'meta' in outcome ? outcome.meta() : outcome
  const returned = meta.returnData()
  const data = Buffer.from(returned.data())
  return {
    err: 'err' in outcome ? errorJson(outcome.err()) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData:
      data.length === 0 ? null : { programId: base58.encode(returned.programId()), data: [data.toString('base64'), 'base64'] },
    innerInstructions: innerGroups(meta),
  }
}

function innerGroups(meta: TransactionMetadata): InnerGroup[] {
  const groups = meta.innerInstructions().map((made, index) => ({
    index,
    instructions: made.map((one) => {
      const instruction = one.instruction()
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: base58.encode(instruction.data()),
        stackHeight: one.stackHeight(),
      }
    }),
  }))
  return groups.filter(({ instructions }) => instructions.length > 0)
}

function errorJson(error: ReturnType<FailedTransactionMetadata['err']>): TransactionErrorJson {
  if (typeof error === 'number') return transactionErrorName(error)
  if ('err' in error) return { InstructionError: [error.index, instructionErrorJson(error.err())] }
  // The class name is the key: TransactionErrorInsufficientFundsForRent becomes {"InsufficientFundsForRent": …}.
  const name = error.constructor.name.replace(/^TransactionError/, '')
  return { [name]: 'accountIndex' in error ? { account_index: error.accountIndex } : error.index }
}

type InstructionError = ReturnType<Extract<ReturnType<FailedTransactionMetadata['err']>, { err: unknown }>['err']>

function instructionErrorJson(error: InstructionError): TransactionErrorJson {
  if (typeof error === 'number') return instructionErrorName(error)
  return 'code' in error ? { Custom: error.code } : 'BorshIoError'
}

function entry(found: { address: Uint8Array; account: () => InnerAccount }): [string, Account | undefined] {
  return [base58.encode(found.address), outer(found.account())]
}

// An account without lamports does not exist.
function outer(account: InnerAccount | null): Account | undefined {
  if (account === null || account.lamports() === 0n) return undefined
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: base58.encode(account.owner()),
    executable: account.executable(),
  }
}
