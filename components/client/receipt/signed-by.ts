// Apart from the facts of a slip, which need a schema library.
/** Who signed a receipt, as readers know it: its host. */
export const signedBy = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)
