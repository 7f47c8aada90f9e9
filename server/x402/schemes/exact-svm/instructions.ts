import { type SvmInstruction, TOKEN_PROGRAM } from './transaction'

/** Compute units of a SetComputeUnitLimit. Null for any other instruction. */
export function readUnitLimit(instruction: SvmInstruction | undefined): bigint | null {
  return isCall(instruction, COMPUTE_BUDGET_PROGRAM, 2, 5) ? BigInt(view(instruction.data).getUint32(1, true)) : null
}

/** Micro-lamports per compute unit of a SetComputeUnitPrice. Null for any other instruction. */
export function readUnitPrice(instruction: SvmInstruction | undefined): bigint | null {
  return isCall(instruction, COMPUTE_BUDGET_PROGRAM, 3, 9) ? view(instruction.data).getBigUint64(1, true) : null
}

/** A TransferChecked of the SPL Token program; amounts in atomic units. */
export type TransferChecked = {
  source: string
  mint: string
  destination: string
  authority: string
  amount: bigint
  decimals: number
}

/** Reads a TransferChecked. Null for any other instruction, also for one with more accounts (a multisig's). */
export function readTransferChecked(instruction: SvmInstruction | undefined): TransferChecked | null {
  if (!isCall(instruction, TOKEN_PROGRAM, 12, 10)) return null
  const [source, mint, destination, authority, ...others] = instruction.accounts
  if (!source || !mint || !destination || !authority || others.length > 0) return null
  const data = view(instruction.data)
  return { source, mint, destination, authority, amount: data.getBigUint64(1, true), decimals: data.getUint8(9) }
}

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

// The Solana programs that a payment can name.

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** Assertions that wallets add to protect their owner. */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
