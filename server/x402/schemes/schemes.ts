/** Schemes of x402 that we know and do not serve. One that is served has a folder here. */
export const OTHER_SCHEMES: ReadonlySet<string> = new Set(['upto', 'batch-settlement', 'auth-capture', 'deferred'])
