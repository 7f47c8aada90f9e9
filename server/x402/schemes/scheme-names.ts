import { EXACT } from './exact/scheme'

/** The schemes of x402 that are settled here. */
export const schemeNames = [EXACT] as const

export type SchemeName = (typeof schemeNames)[number]

/** The scheme of our own offers, of the catalog, and of settlements that name none. */
export const USUAL_SCHEME = EXACT

/** Schemes of x402 that we know and do not settle. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['upto', 'batch-settlement', 'auth-capture', 'deferred'])
