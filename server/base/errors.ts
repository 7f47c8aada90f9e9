/** Why we refused a request. A payment that fails its judgement is a result and not a refusal. */
export type Refusal =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'too_many'
  | 'upstream'
  | 'unavailable'

/** The machine-readable reason; `server/http/refusals.ts` has the meaning and the remedy of each. */
export type RefusalReason =
  | 'invalid_request'
  | 'invalid_payload'
  | 'invalid_payment_requirements'
  | 'invalid_x402_version'
  | 'invalid_network'
  | 'invalid_payment'
  | 'invalid_api_key'
  | 'pay_to_not_allowed'
  | 'amount_above_maximum'
  | 'flash_not_in_plan'
  | 'kyt_flagged'
  | 'duplicate_settlement'
  | 'idempotency_conflict'
  | 'second_charge'
  | 'payload_too_large'
  | 'rate_limit_exceeded'
  | 'quota_exceeded'
  | 'credits_exhausted'
  | 'payer_queue_full'
  | 'queue_full'
  | 'payer_failures'
  | 'flash_volume_exceeded'
  | 'gas_budget_exceeded'
  | 'unexpected_error'
  | 'upstream_unreachable'
  | 'upstream_refused'
  | 'facilitator_unavailable'
  | 'kyt_unavailable'
  | 'settings_changed'
  | 'service_unavailable'

/** The public data of a refusal besides its message. */
export type RefusalFacts = {
  /** The code in `errorReason` and `invalidReason`. */
  reason?: RefusalReason
  /** Hash and ledger id, only for the caller of the settlement. */
  transaction?: string
  settlementId?: string
  /** What that settlement charged of a maximum, atomic units as digits. */
  amount?: string
  payer?: string
  network?: string
  retryAfterSeconds?: number
  headers?: Record<string, string>
  /** The form field that the dashboard shows the message at; the message begins with its name. */
  field?: string
}

const BRAND = Symbol.for('quittance.service-error')

/** A refusal, thrown to the transport. `message` is public; `cause` goes to the log only. */
export class ServiceError extends Error {
  readonly [BRAND] = true
  readonly refusal: Refusal
  readonly facts: RefusalFacts

  constructor(refusal: Refusal, publicMessage: string, options: RefusalFacts & { cause?: unknown } = {}) {
    const { cause, ...facts } = options
    super(publicMessage, cause === undefined ? undefined : { cause })
    this.name = 'ServiceError'
    this.refusal = refusal
    this.facts = facts
  }
}

/** Recognises our refusals by brand: bundles hold several copies of the class. */
export function isServiceError(error: unknown): error is ServiceError {
  return typeof error === 'object' && error !== null && BRAND in error
}

/** The refusal of a credential. The message names the broken rule and its fix, and quotes nothing of the credential. */
export function unauthorized(publicMessage: string): ServiceError {
  return new ServiceError('unauthorized', publicMessage)
}
