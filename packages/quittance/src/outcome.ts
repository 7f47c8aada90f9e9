import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import { fieldOf } from './payment-key'

/** What a facilitator answered, or the error that the official client threw. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown }

export const DUPLICATE = 'duplicate_settlement'
export const PENDING = 'settlement_pending'

/** Reasons after which the money may have moved or may still move. */
const UNDECIDED = [DUPLICATE, PENDING, 'service_unavailable', 'unexpected_error']

export async function outcomeOf<Answer>(answering: Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await answering }
  } catch (error) {
    return { error }
  }
}

/** The answer. Throws what the official client threw. */
export function unwrap<Answer>(outcome: Outcome<Answer>): Answer {
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}

/** The reason word of an answer, or of the official client's error for a refusal. */
export function reasonOf(outcome: Outcome<object>, field: 'invalidReason' | 'errorReason'): unknown {
  const said: unknown = 'error' in outcome ? outcome.error : outcome.answer
  return fieldOf(said, field)
}

/** Whether the money may have moved or may still move, although the answer is no success. */
export function isUndecided(outcome: Outcome<SettleResponse>): boolean {
  if ('answer' in outcome && outcome.answer.success) return false
  const reason = reasonOf(outcome, 'errorReason')
  // An error without a reason is a broken connection, a timeout, or an answer of something in between.
  return typeof reason === 'string' ? UNDECIDED.includes(reason) : 'error' in outcome
}

/** A settle answer that moved no money. */
export function refusal({ network }: PaymentRequirements, errorReason: string, errorMessage: string): SettleResponse {
  return { success: false, errorReason, errorMessage, transaction: '', network }
}
