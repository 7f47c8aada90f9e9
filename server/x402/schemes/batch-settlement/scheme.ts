/** The scheme by which a payer deposits once and signs vouchers that the merchant claims together. */
export const BATCH_SETTLEMENT = 'batch-settlement' as const

/** The switch of the scheme: whether `/supported` offers it. It is served in any case, for those who know of it. */
export const OFFERED: boolean = false
