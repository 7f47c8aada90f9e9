import type { RefusalReason } from '../base/errors'
import { HISTORY_CODES, historyReason, type Reason, reasons } from '../x402/reasons/reasons'
import { remedies } from '../x402/reasons/remedies'
import { type RefusalMeaning, refusals } from './refusals'

/** Where a code appears: in a 200 about a failed judgement, in a refusal, or in histories, lookups and analytics. */
export type Place = 'judged' | 'refused' | 'history'

/** An error code with its cause and its remedy. */
export type ErrorCatalogEntry = { code: string; cause: string; remedy: string; places: Place[]; statuses: number[] }

// Temporary codes: the history has the payment's final code instead.
const NEVER_KEPT: ReadonlySet<string> = new Set(['settlement_pending', 'duplicate_settlement'])

/** The codes of `error_reason` in history entries. */
export const historyCodes: readonly string[] = [
  ...new Set([...Object.keys(reasons).map(historyReason), ...Object.keys(HISTORY_CODES)]),
]
  .filter((code) => !NEVER_KEPT.has(code))
  .sort()

/** The codes of payments that failed their judgement. */
export const judgedCodes: readonly Reason[] = Object.keys(reasons).filter(isReason)

/** The codes of refusals, on settle and on verify. */
export const refusalCodes = {
  settle: Object.keys(refusals).filter(isRefusalReason),
  verify: Object.keys(refusals)
    .filter(isRefusalReason)
    .filter((code) => !('only' in refusals[code])),
} as const satisfies Record<string, readonly RefusalReason[]>

/** Every code that can reach a client, in alphabetical order. */
export const errorCatalog: readonly ErrorCatalogEntry[] = [...new Set([...judgedCodes, ...refusalCodes.settle, ...historyCodes])]
  .sort()
  .map(entryOf)

/** The id of a code's explanation on the page of errors. */
export const anchorOf = (code: string): string => `reason-${code}`

/** The address of a code's explanation, below the base URL. */
export const reasonUrl = (code: string): string => `/docs/errors#${anchorOf(code)}`

function entryOf(code: string): ErrorCatalogEntry {
  const refusal: RefusalMeaning | null = isRefusalReason(code) ? refusals[code] : null
  const judged = isReason(code)
  const places: Place[] = [
    ...(judged ? (['judged'] as const) : []),
    ...(refusal ? (['refused'] as const) : []),
    ...(historyCodes.includes(code) ? (['history'] as const) : []),
  ]
  return { code, ...meaningOf(code, refusal), places, statuses: [...(judged ? [200] : []), ...(refusal?.status ?? [])] }
}

// A code that is both a reason and a refusal has one cause; the refusal's remedy is the more complete one.
function meaningOf(code: string, refusal: RefusalMeaning | null): Pick<ErrorCatalogEntry, 'cause' | 'remedy'> {
  if (refusal) return { cause: refusal.cause, remedy: refusal.remedy }
  if (isReason(code)) return { cause: reasons[code], remedy: remedies[code] }
  return code === 'insufficient_funds' ? HISTORY_CODES.insufficient_funds : HISTORY_CODES.unknown
}

function isReason(code: string): code is Reason {
  return Object.hasOwn(reasons, code)
}

function isRefusalReason(code: string): code is RefusalReason {
  return Object.hasOwn(refusals, code)
}
