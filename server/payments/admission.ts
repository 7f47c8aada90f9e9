import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { displayAmount } from '../x402/amounts'
import { type NetworkId, networks, prefixNetworks } from '../x402/networks'
import { type Payment, payerIn } from '../x402/payment'
import { type Facilitator, facilitatorFor } from './facilitators'

/**
 * Checks that we act on this payment: its network is served and configured, its amount is worth a transaction, it moves money, and the
 * tenant's guardrails allow it. Returns its facilitator. Throws `forbidden`, `unavailable` or `bad_request`.
 */
export function admit(app: App, caller: Caller, payment: Payment): Facilitator {
  requireNetwork(prefixNetworks[caller.prefix], payment.network, 'this endpoint serves')
  if (payment.amount < app.config.minPayment) {
    const least = `${app.config.minPayment} atomic units (${displayAmount(app.config.minPayment)} USDC)`
    throw new ServiceError('bad_request', `the amount is below the minimum payment of ${least}`, {
      reason: 'invalid_payment_requirements',
    })
  }
  if (payerIn(payment) === payment.payTo) {
    throw new ServiceError('bad_request', 'the payer and payTo are the same wallet; such a transfer moves no money', {
      reason: 'invalid_payment',
    })
  }
  keepGuardrails(caller, payment)
  return facilitatorFor(app, caller.tier, payment.network)
}

// Errors name the rule and how to change it: its author may have forgotten it.
function keepGuardrails({ guardrails }: Caller, { network, payTo, amount }: Payment): void {
  if (guardrails.networks) requireNetwork(guardrails.networks, network, "this API key's allowed networks are")
  if (guardrails.payTo && !guardrails.payTo.includes(payTo)) {
    throw new ServiceError('forbidden', `payTo ${payTo} is not one of the addresses pinned for this API key`, {
      reason: 'pay_to_not_allowed',
    })
  }
  if (guardrails.maxAmount !== null && amount > guardrails.maxAmount) {
    const required = `the amount of ${displayAmount(amount)} USDC`
    const most = `${displayAmount(guardrails.maxAmount)} USDC`
    throw new ServiceError('forbidden', `${required} is above the maximum of ${most} per payment set for this API key`, {
      reason: 'amount_above_maximum',
    })
  }
}

function requireNetwork(allowed: readonly NetworkId[], network: NetworkId, rule: string): void {
  if (allowed.includes(network)) return
  const titles = new Intl.ListFormat('en').format(allowed.map((id) => networks[id].title))
  throw new ServiceError('forbidden', `${networks[network].title} is not allowed here; ${rule} ${titles}`, {
    reason: 'invalid_network',
  })
}
