import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './instructions'
import type { SvmInstruction } from './transaction'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './transaction'

/** Instructions that often appear where they are not allowed. The first row with matching program and first bytes applies. */
const FORBIDDEN: { program: string; data: readonly number[]; does: string }[] = [
  { program: SYSTEM_PROGRAM, data: [4, 0, 0, 0], does: 'advances a durable nonce; sign with a recent blockhash instead' },
  { program: SYSTEM_PROGRAM, data: [], does: 'calls the system program, which a payment never needs' },
  {
    program: ASSOCIATED_TOKEN_PROGRAM,
    data: [],
    does: 'creates a token account, which is not paid for here; payTo must have one already',
  },
  { program: TOKEN_2022_PROGRAM, data: [], does: 'calls Token-2022; USDC is a token of the SPL Token program' },
  { program: TOKEN_PROGRAM, data: [3], does: 'is a Transfer without a check of mint and decimals; use TransferChecked' },
  {
    program: TOKEN_PROGRAM,
    data: [12],
    does: 'is a TransferChecked in another place, or with more accounts or bytes than it needs',
  },
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
