import type { WireInstruction } from './wire'

const lamportsPerSignature = 5_000n
const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111'
const builtinPrograms = new Set([
  '11111111111111111111111111111111',
  computeBudgetProgram,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
])
const units = { builtin: 3_000n, other: 200_000n, most: 1_400_000n }

/** The fee of a message in lamports, for its signatures and its compute units; a failed one costs the same. */
export function feeOf(signers: number, instructions: readonly Pick<WireInstruction, 'program' | 'data'>[]): bigint {
  let limit: bigint | undefined
  let microLamports = 0n
  let defaultUnits = 0n
  for (const { program, data } of instructions) {
    defaultUnits += builtinPrograms.has(program) ? units.builtin : units.other
    if (program !== computeBudgetProgram) continue
    const bytes = Buffer.from(data)
    if (bytes[0] === 2 && bytes.length === 5) limit = BigInt(bytes.readUInt32LE(1))
    if (bytes[0] === 3 && bytes.length === 9) microLamports = bytes.readBigUInt64LE(1)
  }
  const bought = min(limit ?? defaultUnits, units.most)
  return BigInt(signers) * lamportsPerSignature + (bought * microLamports + 999_999n) / 1_000_000n
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
