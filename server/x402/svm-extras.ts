import type { SvmPayment } from './payment'
import type { Reason } from './reasons'
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from './svm-programs'
import type { Rule } from './svm-rule'
import { strangerText } from './svm-strangers'

/** How many instructions a payment needs; what comes after them is extra. */
export const NEEDED = 3

const EXTRA_PROGRAMS: ReadonlySet<string> = new Set([LIGHTHOUSE_PROGRAM, MEMO_PROGRAM])

const UNKNOWN: Reason[] = [
  'invalid_exact_svm_payload_unknown_fourth_instruction',
  'invalid_exact_svm_payload_unknown_fifth_instruction',
  'invalid_exact_svm_payload_unknown_sixth_instruction',
  'invalid_exact_svm_payload_unknown_seventh_instruction',
]

/** Rules about the instructions after the transfer, and last that none at all reaches for a fee payer of ours. */
export const extraRules: Rule<SvmPayment>[] = [
  ...UNKNOWN.map((reason, extra): Rule<SvmPayment> => ({ reason, broken: (payment) => isUnknown(payment, NEEDED + extra) })),
  {
    reason: 'invalid_exact_svm_payload_memo_count',
    broken: (payment) => Boolean(wantedMemo(payment)) && memosOf(payment).length !== 1,
  },
  {
    reason: 'invalid_exact_svm_payload_memo_mismatch',
    broken: (payment) => Boolean(wantedMemo(payment)) && memosOf(payment)[0] !== wantedMemo(payment),
  },
  {
    reason: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
    broken: ({ transfer }, { ours }) => {
      const { instructions } = transfer.transaction
      const index = instructions.findIndex(({ accounts }) => accounts.some((account) => ours.has(account)))
      return index >= 0 && `Instruction ${index + 1} names a fee payer of this facilitator among its accounts.`
    },
  },
]

function isUnknown({ transfer }: SvmPayment, index: number): boolean | string {
  const instruction = transfer.transaction.instructions[index]
  if (!instruction || EXTRA_PROGRAMS.has(instruction.program)) return false
  return strangerText(instruction, index) ?? true
}

// As the official facilitator has it: anything but nothing is a memo that must be there.
const wantedMemo = ({ declared }: SvmPayment): unknown => declared.extra?.memo

/** The texts of all memos, null for one that is not UTF-8. */
function memosOf({ transfer }: SvmPayment): (string | null)[] {
  const memos = transfer.transaction.instructions.slice(NEEDED).filter(({ program }) => program === MEMO_PROGRAM)
  return memos.map(({ data }) => textOf(data))
}

function textOf(data: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    // Not a text, hence not the one that is asked for.
    return null
  }
}
