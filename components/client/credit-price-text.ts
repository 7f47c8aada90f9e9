import { CREDIT_PRICE } from '@/server/accounts/credit-price'
import { type Environment, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { usdc } from '../ui/figures'

/** The price of so many credits in USDC, without its unit: "0.10". */
export function priceOf(credits: number): string {
  return usdc(String(BigInt(credits) * CREDIT_PRICE))
}

/** An amount with the money that a network moves: "0.10 test USDC". */
export function moneyOn(network: string, amount: string): string {
  return `${amount} ${environmentOn(network) === 'testnet' ? 'test USDC' : 'USDC'}`
}

/** The environment of the credits that a network sells. */
export function environmentOn(network: string): Environment {
  return pastEnvironmentOf(network)
}

/** The part of the credits bought below which they are low, in words. */
export const LOW_PERCENT = '10%'
