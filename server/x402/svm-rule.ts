import type { Payment } from './payment'
import type { Failure, Reason } from './reasons'
import { svmFailure } from './svm-reasons'

/** What a sponsor of Solana fees accepts. */
export type SvmRules = {
  /** The fee payers that serve this payment. */
  feePayers: ReadonlySet<string>
  /** All fee payers of this facilitator: none of them may appear in an instruction. */
  ours: ReadonlySet<string>
  maxComputeUnits: bigint
  maxFeeLamports: bigint
}

/** One rule about a payment on Solana. `broken` says whether, or better how, in a sentence. */
export type Rule<Subject> = { reason: Reason; broken: (subject: Subject, rules: SvmRules) => boolean | string }

/** The failure of the first rule that its subject breaks, in the words of the payment's version. Null when all hold. */
export function firstBroken<Subject>(list: Rule<Subject>[], subject: Subject, rules: SvmRules, payment: Payment): Failure | null {
  for (const { reason, broken } of list) {
    const how = broken(subject, rules)
    if (how) return svmFailure(payment, reason, how === true ? undefined : how)
  }
  return null
}
