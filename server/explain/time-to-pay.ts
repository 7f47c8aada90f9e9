import { expiryMargin } from '../x402/networks/expiry-margin'
import { isEvmNetwork } from '../x402/networks/networks'
import type { Payment } from '../x402/payment'

/**
 * What a merchant's `maxTimeoutSeconds` leaves a payer: the seconds that a payment must be valid for when it arrives, and the remedy where
 * no payment can be. Null where neither applies.
 */
export function timeToPay({ network, declared }: Pick<Payment, 'network' | 'declared'>) {
  const { maxTimeoutSeconds } = declared
  if (!isEvmNetwork(network) || maxTimeoutSeconds === undefined) return null
  const margin = expiryMargin(network)
  // Clients sign for this long: what is too late when it arrives can never be paid.
  const remedy =
    maxTimeoutSeconds > margin
      ? null
      : `The merchant must raise maxTimeoutSeconds (${maxTimeoutSeconds}) well above ${margin}: 60 and more are usual.`
  return { maxTimeoutSeconds, margin, remedy }
}
