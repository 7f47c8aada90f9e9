import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_PROGRAMS,
} from './programs'
import type { SvmInstruction } from './transaction'

/** Compute units of a SetComputeUnitLimit. Null for any other instruction. */
export function readUnitLimit(instruction: SvmInstruction | undefined): bigint | null {
  return isCall(instruction, COMPUTE_BUDGET_PROGRAM, 2, 5) ? BigInt(view(instruction.data).getUint32(1, true)) : null
}

/** Micro-lamports per compute unit of a SetComputeUnitPrice. Null for any other instruction. */
export function readUnitPrice(instruction: SvmInstruction | undefined): bigint | null {
  return isCall(instruction, COMPUTE_BUDGET_PROGRAM, 3, 9) ? view(instruction.data).getBigUint64(1, true) : null
}

/** The transfer that pays. The payer is its authority. */
export type SvmTransfer = { payer: string; source: string; mint: string; destination: string; amount: bigint }

/** A TransferChecked of a token program; amounts in atomic units. */
export type TransferChecked = {
  program: string
  source: string
  mint: string
  destination: string
  authority: string
  amount: bigint
  decimals: number
}

/** Reads a TransferChecked. Null for any other instruction, also for one with more accounts (a multisig's). */
export function readTransferChecked(instruction: SvmInstruction | undefined): TransferChecked | null {
  if (!instruction || !TOKEN_PROGRAMS.has(instruction.program)) return null
  const { program } = instruction
  if (!isCall(instruction, program, 12, 10)) return null
  const [source, mint, destination, authority, ...others] = instruction.accounts
  if (!source || !mint || !destination || !authority || others.length > 0) return null
  const data = view(instruction.data)
  return { program, source, mint, destination, authority, amount: data.getBigUint64(1, true), decimals: data.getUint8(9) }
}

const TITLES: Readonly<Record<string, string>> = { [TOKEN_PROGRAM]: 'the SPL Token program', [TOKEN_2022_PROGRAM]: 'Token-2022' }

/** The name of a token program. */
export const tokenProgramTitle = (program: string): string => TITLES[program] ?? program

// The exact length: the chain ignores trailing bytes, and no payment needs them.
function isCall(
  instruction: SvmInstruction | undefined,
  program: string,
  call: number,
  length: number,
): instruction is SvmInstruction {
  return instruction?.program === program && instruction.data.length === length && instruction.data[0] === call
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.length)
}

/** Instructions that often appear where they are not allowed. The first row with matching program and first bytes applies. */
const FORBIDDEN: { program: string; data: readonly number[]; does: string }[] = [
  { program: SYSTEM_PROGRAM, data: [4, 0, 0, 0], does: 'advances a durable nonce; sign with a recent blockhash instead' },
  { program: SYSTEM_PROGRAM, data: [], does: 'calls the system program, which a payment never needs' },
  {
    program: ASSOCIATED_TOKEN_PROGRAM,
    data: [],
    does: 'creates a token account, which is not paid for here; payTo must have one already',
  },
  ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((program) => [
    { program, data: [3], does: 'is a Transfer without a check of mint and decimals; use TransferChecked' },
    { program, data: [12], does: 'is a TransferChecked in another place, or with more accounts or bytes than it needs' },
  ]),
  {
    program: COMPUTE_BUDGET_PROGRAM,
    data: [],
    does: 'is of the compute budget program; it must be one SetComputeUnitLimit first and one SetComputeUnitPrice second',
  },
]

/** Describes a forbidden instruction. Undefined when it is not a known one. */
export function untrustedInstruction(instruction: SvmInstruction | undefined, index: number): string | undefined {
  const row = FORBIDDEN.find(
    ({ program, data }) => program === instruction?.program && data.every((byte, at) => instruction.data[at] === byte),
  )
  return row && `Instruction ${index + 1} ${row.does}.`
}
