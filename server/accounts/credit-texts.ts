import { displayMoney } from '../x402/networks/amounts'
import { USDC } from '../x402/networks/assets'
import { CREDIT_PRICE, CREDITS_MAX, CREDITS_MIN } from './credit-price'

/** So many credits are priced together, because one costs a fraction of a cent. */
export const PRICED_CREDITS = 1_000

const digits = (count: number) => count.toLocaleString('en')

/** The price of credits in words: "1,000 credits cost 1 USDC". */
export const CREDIT_PRICE_TEXT = `${digits(PRICED_CREDITS)} credits cost ${displayMoney(BigInt(PRICED_CREDITS) * CREDIT_PRICE, USDC)}`

/** The bounds of one purchase in digits for people. */
export const CREDIT_BOUNDS_TEXT = { least: digits(CREDITS_MIN), most: digits(CREDITS_MAX) } as const
