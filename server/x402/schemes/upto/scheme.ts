/** The scheme by which a payer signs a maximum and the merchant charges what was used. */
export const UPTO = 'upto' as const
