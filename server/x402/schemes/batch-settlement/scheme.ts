/** The scheme by which a payer deposits once and signs vouchers that the merchant claims together. */
export const BATCH_SETTLEMENT = 'batch-settlement' as const
