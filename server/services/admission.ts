import type { EvmChain } from '../chains/evm/chain'
import { ServiceError } from '../errors'
import { displayAmount } from '../x402/amounts'
import { networks } from '../x402/networks'
import type { Payment } from '../x402/payment'
import type { App } from './app'
import type { Caller } from './caller'

/**
 * Whether we act on this payment at all: its network is served here and configured, its amount is worth a transaction, it
 * moves money. Returns the chain. Throws `forbidden`, `unavailable` or `bad_request`.
 */
export function admit(app: App, caller: Caller, payment: Payment): EvmChain {
  const { title } = networks[payment.network]
  if (!caller.networks.includes(payment.network)) {
    const served = caller.networks.map((id) => networks[id].title).join(' and ')
    throw new ServiceError('forbidden', `${title} is not allowed here; this endpoint serves ${served}`, {
      reason: 'invalid_network',
    })
  }
  if (payment.amount < app.config.minPayment) {
    const least = `${app.config.minPayment} atomic units (${displayAmount(app.config.minPayment)} USDC)`
    throw new ServiceError('bad_request', `the amount is below the minimum payment of ${least}`, {
      reason: 'invalid_payment_requirements',
    })
  }
  const { transfer } = payment
  if (transfer.kind === 'eip3009' && transfer.authorization.from === payment.payTo) {
    throw new ServiceError('bad_request', 'the payer and payTo are the same wallet; such a transfer moves no money', {
      reason: 'invalid_payment',
    })
  }
  const configured = app.networks.get(payment.network)
  if (!configured) {
    throw new ServiceError('unavailable', `${title} is not configured on this facilitator`, {
      reason: 'facilitator_unavailable',
      retryAfterSeconds: 60,
    })
  }
  return configured.chain
}
