import type { ServiceError } from '../base/errors'
import { type Check, failed, notReached, type Verdict } from './checks'
import { sentence } from './units'

export const VALID: Verdict = { isValid: true, invalidReason: null }
export const invalid = (invalidReason: string | null): Verdict => ({ isValid: false, invalidReason })

export const UNASKED = notReached('chain', 'Verify asks the chain only when all rules before it hold.')
export const SCREENING = notReached('screening', 'Screening of payer and payTo is left out here; verify and settle do it.')

/** The reason of a refusal, as error responses of verify name it. */
export const reasonOf = ({ facts }: ServiceError): string => facts.reason ?? 'unexpected_error'

/** The check that a refusal fails. Only the caller of a settlement learns its id and transaction. */
export function refused(name: string, error: ServiceError): Check {
  const { settlementId, transaction } = error.facts
  const own = settlementId === undefined ? '' : ` It is the settlement ${settlementId}${transaction ? ` in ${transaction}` : ''}.`
  return failed(name, reasonOf(error), `${sentence(error.message)}${own}`)
}
