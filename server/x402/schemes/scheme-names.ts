import { BATCH_SETTLEMENT } from './batch-settlement/scheme'
import { EXACT } from './exact/scheme'
import { UPTO } from './upto/scheme'

/** The schemes of x402 that are served here. */
export type SchemeName = typeof EXACT | typeof UPTO | typeof BATCH_SETTLEMENT

export const schemeNames: readonly SchemeName[] = [EXACT, UPTO, BATCH_SETTLEMENT]

/** The scheme of our own offers, of the catalog, and of settlements that name none. */
export const USUAL_SCHEME = EXACT

/** Schemes of x402 that we know and do not settle. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['auth-capture', 'deferred'])

/** Those of them that are not settled on Solana. */
export const OTHER_SVM_SCHEMES: ReadonlySet<string> = new Set([UPTO, BATCH_SETTLEMENT, ...OTHER_SCHEMES])
