import { readUnitLimit, readUnitPrice } from './instructions'
import type { SvmInstruction, SvmTransaction } from './transaction'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO_LAMPORTS = 1_000_000n
/** The chain's default for a transaction without a limit. */
const UNITS_WITHOUT_LIMIT = 1_400_000n

/** The maximum fee of a transaction in lamports: 5,000 per signature and the priority fee of its compute budget. */
export function feeOf(transaction: SvmTransaction): bigint {
  const priority = unitLimitOf(transaction) * unitPriceOf(transaction)
  return BigInt(transaction.signatures.length) * LAMPORTS_PER_SIGNATURE + (priority + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

/** The limit of compute units: the first that is set, else the chain's default. */
export function unitLimitOf({ instructions }: SvmTransaction): bigint {
  return firstRead(instructions, readUnitLimit) ?? UNITS_WITHOUT_LIMIT
}

/** Micro-lamports per compute unit: the first price that is set, else 0. */
export function unitPriceOf({ instructions }: SvmTransaction): bigint {
  return firstRead(instructions, readUnitPrice) ?? 0n
}

type Read<T> = (instruction: SvmInstruction | undefined) => T | null

function firstRead<T>(instructions: readonly SvmInstruction[], read: Read<T>): T | null {
  for (const instruction of instructions) {
    const value = read(instruction)
    if (value !== null) return value
  }
  return null
}
