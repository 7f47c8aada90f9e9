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

/** Lamports that a message costs, whether it succeeds or not: its signatures and its bid for compute units. */
export function feeOf(signers: number, instructions: readonly Pick<WireInstruction, 'program' | 'data'>[]): bigint {
  let limit: bigint | undefined
  let microLamports = 0n
  let usual = 0n
  for (const { program, data } of instructions) {
    usual += builtinPrograms.has(program) ? units.builtin : units.other
    if (program !== computeBudgetProgram) continue
    const bytes = Buffer.from(data)
    if (bytes[0] === 2 && bytes.length === 5) limit = BigInt(bytes.readUInt32LE(1))
    if (bytes[0] === 3 && bytes.length === 9) microLamports = bytes.readBigUInt64LE(1)
  }
  const bought = least(limit ?? usual, units.most)
  return BigInt(signers) * lamportsPerSignature + (bought * microLamports + 999_999n) / 1_000_000n
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
