import { getCompiledTransactionMessageEncoder } from '@solana/kit'
import { feeOf } from '../fees'
import type { Account, Execution, Runtime, Simulation } from '../runtime'
import type { TransactionErrorJson } from '../transaction-errors'
import { readMessage, type WireTransaction } from '../wire'
import { channelProgram } from './account'
import { applyChannelCall, type ChannelCall } from './program'
import { ProgramFault, type World } from './world'

const encoder = getCompiledTransactionMessageEncoder()

type Changes = ReadonlyMap<string, Account | undefined>
type Emulated = { changes: Changes; fault: null } | { changes: null; fault: TransactionErrorJson }

/**
 * A virtual machine that also runs the program of payment channels. The machine executes all other instructions of a transaction; the
 * program's own are applied to the accounts behind them, and either all of it happens or nothing but the fee.
 */
export function withChannels(runtime: Runtime, treasury: string): Runtime {
  let clock = { slot: 0n, now: 0n }

  function emulate(transaction: WireTransaction, { after }: Simulation): Emulated {
    const changes = new Map<string, Account | undefined>()
    const world: World = {
      ...clock,
      treasury,
      rent: runtime.rent,
      read: (address) => (changes.has(address) ? changes.get(address) : after(address)),
      write: (address, account) => changes.set(address, account),
    }
    for (const [index, instruction] of transaction.instructions.entries()) {
      if (instruction.program !== channelProgram) continue
      try {
        applyChannelCall(world, callOf(transaction, index))
      } catch (error) {
        if (!(error instanceof ProgramFault)) throw error
        return { changes: null, fault: { InstructionError: [index, error.reason] } }
      }
    }
    return { changes, fault: null }
  }

  function simulated(transaction: WireTransaction): { simulation: Simulation; changes: Changes } {
    const rest = withoutCalls(transaction)
    const simulation = atOldPlaces(transaction, runtime.simulate(rest))
    if (simulation.err !== null) return { simulation, changes: new Map() }
    const { changes, fault } = emulate(transaction, simulation)
    if (fault !== null) return { simulation: { ...simulation, err: fault, logs: logsOf(simulation, fault) }, changes: new Map() }
    const after = (address: string) => (changes.has(address) ? changes.get(address) : simulation.after(address))
    return { simulation: { ...simulation, logs: logsOf(simulation, null), after }, changes }
  }

  return {
    ...runtime,
    setClock: (slot, epoch, unixSeconds) => {
      clock = { slot: BigInt(slot), now: BigInt(unixSeconds) }
      runtime.setClock(slot, epoch, unixSeconds)
    },
    simulate: (transaction) => (callsProgram(transaction) ? simulated(transaction).simulation : runtime.simulate(transaction)),
    execute: (transaction) => {
      if (!callsProgram(transaction)) return runtime.execute(transaction)
      const { simulation, changes } = simulated(transaction)
      const { err, logs } = simulation
      const isOurs = err !== null && !failsWithoutCalls(runtime, transaction)
      if (isOurs) {
        takeFee(runtime, transaction)
        return executionOf(simulation)
      }
      const executed = atOldPlaces(transaction, runtime.execute(withoutCalls(transaction)))
      if (executed.err !== null) return executed
      for (const [address, account] of changes) runtime.setAccount(address, account ?? nothing)
      return { ...executed, logs }
    },
  }
}

// An account without lamports does not exist.
const nothing: Account = { lamports: 0n, data: new Uint8Array(), owner: '11111111111111111111111111111111', executable: false }

const callsProgram = ({ instructions }: WireTransaction): boolean =>
  instructions.some(({ program }) => program === channelProgram)

const failsWithoutCalls = (runtime: Runtime, transaction: WireTransaction): boolean =>
  runtime.simulate(withoutCalls(transaction)).err !== null

const executionOf = ({ err, logs, unitsConsumed, returnData, innerInstructions }: Simulation): Execution => ({
  err,
  logs,
  unitsConsumed,
  returnData,
  innerInstructions,
})

const logsOf = ({ logs }: Execution, fault: TransactionErrorJson | null): string[] => [
  ...logs,
  `Program ${channelProgram} invoke [1]`,
  `Program ${channelProgram} ${fault === null ? 'success' : `failed: ${JSON.stringify(fault)}`}`,
]

/** The transaction without the calls of the program: the machine runs these bytes, and checks neither signatures nor blockhash. */
function withoutCalls(transaction: WireTransaction): WireTransaction {
  const { compiled } = readMessage(transaction.message)
  const kept = compiled.instructions.filter(
    ({ programAddressIndex }) => compiled.staticAccounts[programAddressIndex] !== channelProgram,
  )
  const message = new Uint8Array(encoder.encode({ ...compiled, instructions: kept }))
  const head = transaction.bytes.slice(0, 1 + 64 * transaction.signatures.length)
  return { ...transaction, message, bytes: Buffer.concat([head, message]) }
}

/** What the machine says of the other instructions, with their places in the whole transaction. */
function atOldPlaces<Said extends Execution>({ instructions }: WireTransaction, said: Said): Said {
  const places = instructions.flatMap(({ program }, index) => (program === channelProgram ? [] : [index]))
  const at = (place: number) => places[place] ?? place
  const innerInstructions = said.innerInstructions.map((group) => ({ ...group, index: at(group.index) }))
  const { err } = said
  const failed = typeof err === 'object' && err !== null ? err.InstructionError : undefined
  if (!Array.isArray(failed)) return { ...said, innerInstructions }
  const [index, reason]: unknown[] = failed
  return { ...said, innerInstructions, err: { InstructionError: [at(Number(index)), reason] } }
}

function takeFee(runtime: Runtime, { accounts, signatures, instructions }: WireTransaction): void {
  const [feePayer = ''] = accounts
  const account = runtime.account(feePayer)
  if (account === undefined) return
  const fee = feeOf(signatures.length, instructions)
  runtime.setAccount(feePayer, { ...account, lamports: account.lamports - fee })
}

function callOf({ accounts, header, instructions }: WireTransaction, index: number): ChannelCall {
  const [signers, readonlySigners, readonlyOthers] = header
  const instruction = instructions[index]
  const place = (address: string) => accounts.indexOf(address)
  return {
    accounts: instruction?.accounts.map((at) => accounts[at] ?? '') ?? [],
    data: instruction?.data ?? new Uint8Array(),
    previous: instructions[index - 1],
    isSigner: (address) => place(address) >= 0 && place(address) < signers,
    isWritable(address) {
      const at = place(address)
      if (at < 0) return false
      return at < signers ? at < signers - readonlySigners : at < accounts.length - readonlyOthers
    },
  }
}
