import type { RefusalReason } from '../errors'
import { HISTORY_CODES, historyReason, type Reason, reasons } from '../x402/reasons'
import { remedies } from '../x402/remedies'
import { type RefusalMeaning, refusals } from './refusals'

/** Where a word appears: in an answer 200 about a judged payment, in a refusal, or in histories, lookups and analytics. */
export type Place = 'judged' | 'refused' | 'history'

/** A code that says why there was no payment, and what to do about it. */
export type ErrorCatalogEntry = { word: string; cause: string; remedy: string; places: Place[]; statuses: number[] }

// Said of a payment whose end is, or will be, in the history under another word.
const NEVER_KEPT: ReadonlySet<string> = new Set(['settlement_pending', 'duplicate_settlement'])

/** The words that a history entry may give as `error_reason`. */
export const historyCodes: readonly string[] = [
  ...new Set([...Object.keys(reasons).map(historyReason), ...Object.keys(HISTORY_CODES)]),
]
  .filter((word) => !NEVER_KEPT.has(word))
  .sort()

/** The words of payments that were judged and failed. */
export const judgedCodes: readonly Reason[] = Object.keys(reasons).filter(isReason)

/** The words of refusals, on settle and on verify. */
export const refusalCodes = {
  settle: Object.keys(refusals).filter(isRefusalReason),
  verify: Object.keys(refusals)
    .filter(isRefusalReason)
    .filter((word) => !('only' in refusals[word])),
} as const satisfies Record<string, readonly RefusalReason[]>

/** Every word that can reach a client, in the order of the alphabet. */
export const errorCatalog: readonly ErrorCatalogEntry[] = [...new Set([...judgedCodes, ...refusalCodes.settle, ...historyCodes])]
  .sort()
  .map(entryOf)

/** Where a word is explained on the page of the reference. */
export const anchorOf = (word: string): string => `reason-${word}`

function entryOf(word: string): ErrorCatalogEntry {
  const refusal: RefusalMeaning | null = isRefusalReason(word) ? refusals[word] : null
  const judged = isReason(word)
  const places: Place[] = [
    ...(judged ? (['judged'] as const) : []),
    ...(refusal ? (['refused'] as const) : []),
    ...(historyCodes.includes(word) ? (['history'] as const) : []),
  ]
  return { word, ...meaningOf(word, refusal), places, statuses: [...(judged ? [200] : []), ...(refusal?.status ?? [])] }
}

// A word that is judged and refused means the same in both places; what to do about the refusal is the longer story.
function meaningOf(word: string, refusal: RefusalMeaning | null): Pick<ErrorCatalogEntry, 'cause' | 'remedy'> {
  if (refusal) return { cause: refusal.cause, remedy: refusal.remedy }
  if (isReason(word)) return { cause: reasons[word], remedy: remedies[word] }
  return word === 'insufficient_funds' ? HISTORY_CODES.insufficient_funds : HISTORY_CODES.unknown
}

function isReason(word: string): word is Reason {
  return Object.hasOwn(reasons, word)
}

function isRefusalReason(word: string): word is RefusalReason {
  return Object.hasOwn(refusals, word)
}
