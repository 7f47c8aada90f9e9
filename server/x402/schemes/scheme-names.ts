import { EXACT } from './exact/scheme'
import { UPTO } from './upto/scheme'

/** The schemes of x402 that are settled here. */
export const schemeNames = [EXACT, UPTO] as const

export type SchemeName = (typeof schemeNames)[number]

/** The scheme of our own offers, of the catalog, and of settlements that name none. */
export const USUAL_SCHEME = EXACT

/** Schemes of x402 that we know and do not settle. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['batch-settlement', 'auth-capture', 'deferred'])

/** Those of them that are not settled on Solana. */
export const OTHER_SVM_SCHEMES: ReadonlySet<string> = new Set([UPTO, ...OTHER_SCHEMES])
