import { BATCH_SETTLEMENT } from './batch-settlement/scheme'
import { EXACT } from './exact/scheme'
import { UPTO } from './upto/scheme'

/** The schemes of x402 that are offered here. */
export const schemeNames = [EXACT, UPTO] as const

/** Those, and one that is served and not offered until all of it is here. */
export type SchemeName = (typeof schemeNames)[number] | typeof BATCH_SETTLEMENT

/** Whether a scheme is offered. */
export const isOffered = (name: string): name is (typeof schemeNames)[number] => schemeNames.some((one) => one === name)

/** The scheme of our own offers, of the catalog, and of settlements that name none. */
export const USUAL_SCHEME = EXACT

/** Schemes of x402 that we know and do not settle. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['auth-capture', 'deferred'])

/** Those of them that are not settled on Solana. */
export const OTHER_SVM_SCHEMES: ReadonlySet<string> = new Set([UPTO, BATCH_SETTLEMENT, ...OTHER_SCHEMES])
