/** Why we did not act on a request. A payment that was judged and failed is a result, never one of these. */
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

/** What a refusal tells besides its message. All of it is safe to show to the caller. */
export type RefusalFacts = {
  /** Machine-readable word for `errorReason` and `invalidReason`. */
  reason?: string
  /** Hash and ledger id, told only to the caller who made the settlement. */
  transaction?: string
  settlementId?: string
  payer?: string
  network?: string
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

const BRAND = Symbol.for('quittance.service-error')

/** A refusal on its way to a transport. `message` is public; the `cause` stays in our log. */
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

/** Recognises our refusals by brand: bundles hold several copies of the class, so its identity proves nothing. */
export function isServiceError(error: unknown): error is ServiceError {
  return typeof error === 'object' && error !== null && BRAND in error
}
