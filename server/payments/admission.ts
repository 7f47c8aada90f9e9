import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { displayMoney, exactAmount, inDecimals } from '../x402/networks/amounts'
import { assetIn, type Token } from '../x402/networks/assets'
import { type NetworkId, networkRow, prefixNetworks } from '../x402/networks/networks'
import { type Payment, payerIn } from '../x402/payment'
import { type Facilitator, facilitatorFor } from './facilitators'
import { minimumOf } from './gas-budgets'

/**
 * The minimum payment on a network in atomic units of a token: as many whole tokens as the setting names of USDC, or more where the
 * network's gas costs more.
 */
export function minimumAmount(
  { minPayment }: Pick<App['config'], 'minPayment'>,
  network: NetworkId,
  { decimals }: Token,
): bigint {
  const there = BigInt(minimumOf(networkRow(network)))
  return inDecimals(there > minPayment ? there : minPayment, decimals, 'up')
}

/** A key's maximum in atomic units of a token: the same number of whole tokens of any. Null without one. */
export function keyMaximum({ maxAmount }: Pick<Caller['guardrails'], 'maxAmount'>, { decimals }: Token): bigint | null {
  return maxAmount === null ? null : inDecimals(maxAmount, decimals, 'down')
}

/** What an admission decides about. */
type Applicant = { app: App; caller: Caller; payment: Payment }

type AdmissionRule = { name: string; refusal: (applicant: Applicant) => ServiceError | null }

/** The rules of admission in their order. The first refusal is what a caller sees; an explanation reads all. */
export const admissionRules = [
  {
    name: 'network_served',
    refusal: ({ caller, payment }) => foreignNetwork(prefixNetworks[caller.prefix], payment, 'this endpoint serves'),
  },
  {
    name: 'minimum_amount',
    refusal({ app: { config }, payment }) {
      const asset = assetIn(payment)
      const minimum = minimumAmount(config, payment.network, asset)
      if (payment.amount >= minimum) return null
      const least = `${minimum} atomic units (${displayMoney(minimum, asset)})`
      return new ServiceError('bad_request', `the amount is below the minimum payment of ${least}`, {
        reason: 'invalid_payment_requirements',
      })
    },
  },
  {
    name: 'two_wallets',
    refusal: ({ payment }) =>
      payerIn(payment) === payment.payTo
        ? new ServiceError('bad_request', 'the payer and payTo are the same wallet; such a transfer moves no money', {
            reason: 'invalid_payment',
          })
        : null,
  },
  // Errors name the guardrail and how to change it: its author may have forgotten it.
  {
    name: 'key_networks',
    refusal: ({ caller: { guardrails }, payment }) =>
      guardrails.networks && foreignNetwork(guardrails.networks, payment, "this API key's allowed networks are"),
  },
  {
    name: 'key_pay_to',
    refusal({ caller: { guardrails }, payment: { payTo } }) {
      if (!guardrails.payTo || guardrails.payTo.includes(payTo)) return null
      return new ServiceError('forbidden', `payTo ${payTo} is not one of the addresses pinned for this API key`, {
        reason: 'pay_to_not_allowed',
      })
    },
  },
  {
    name: 'key_maximum',
    refusal({ caller: { guardrails }, payment }) {
      const asset = assetIn(payment)
      const maximum = keyMaximum(guardrails, asset)
      // A deposit is not paid to the merchant: what it asks for is.
      const asked = payment.price ?? payment.amount
      if (maximum === null || asked <= maximum) return null
      // To its last digit: one too much must not look like the maximum.
      const required = `the amount of ${exactAmount(asked, asset.decimals)} ${asset.symbol}`
      const most = displayMoney(maximum, asset)
      return new ServiceError('forbidden', `${required} is above the maximum of ${most} per payment set for this API key`, {
        reason: 'amount_above_maximum',
      })
    },
  },
] as const satisfies readonly AdmissionRule[]

/**
 * Checks that we act on this payment: its network is served and configured, its amount is worth a transaction, it moves money, and the
 * tenant's guardrails allow it. Returns its facilitator. Throws `forbidden`, `unavailable` or `bad_request`.
 */
export function admit(app: App, caller: Caller, payment: Payment): Facilitator {
  for (const { refusal } of admissionRules) {
    const refused = refusal({ app, caller, payment })
    if (refused) throw refused
  }
  return facilitatorFor(app, caller.tier, payment.network)
}

function foreignNetwork(allowed: readonly NetworkId[], { network }: Payment, rule: string): ServiceError | null {
  if (allowed.includes(network)) return null
  const titles = new Intl.ListFormat('en').format(allowed.map((id) => networkRow(id).title))
  return new ServiceError('forbidden', `${networkRow(network).title} is not allowed here; ${rule} ${titles}`, {
    reason: 'invalid_network',
  })
}
