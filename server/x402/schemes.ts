/** Schemes of x402 that we know and do not serve. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['upto', 'batch-settlement', 'auth-capture', 'deferred'])
