import { CREDIT_PRICE, PURCHASE_PATH } from '../accounts/credit-price'
import type { Tier } from '../accounts/plans'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { minimumAmount } from '../payments/admission'
import { feePayersOf, signersOf } from '../payments/facilitators'
import { advertisedFeePayer } from '../payments/supported'
import { dollarOn, USDC } from '../x402/networks/assets'
import { isEvmNetwork, type NetworkId, networkIds, networkRow } from '../x402/networks/networks'

/** The payment requirements for credits on one network. Addresses in the network's form; `amount` in atomic units. */
export type Offer = {
  network: NetworkId
  amount: bigint
  asset: string
  payTo: string
  extra: Record<string, string>
}

/** The URL where agents buy credits. */
export function purchaseUrl({ config }: Pick<App, 'config'>): string {
  return `${config.baseUrl}${PURCHASE_PATH}`
}

/**
 * The networks on which credits are sold, which all have a dollar token: those that the operator configured, else the served mainnets,
 * else the testnets.
 */
export function purchaseNetworks(app: App): NetworkId[] {
  const { networks: named, payTo } = app.config.purchase
  const paid = networkIds.filter((id) => payTo[networkRow(id).family] !== null && tierOf(app, id) !== null)
  const sold = paid.filter((id) => dollarOn(id) !== null)
  if (named.length > 0) return sold.filter((id) => named.includes(id))
  const mainnets = sold.filter((id) => !networkRow(id).testnet)
  return mainnets.length > 0 ? mainnets : sold
}

/** The tier whose signers settle purchases on a network; null without one. */
export function tierOf(app: App, network: NetworkId): Tier | null {
  const tiers = networkRow(network).testnet ? (['standard', 'sandbox'] as const) : (['standard'] as const)
  return tiers.find((tier) => signersOf(app, tier, network) !== null) ?? null
}

/**
 * The offers for so many credits, one per network; for more where the network's minimum payment is higher. Throws `unavailable` if credits
 * are not sold here.
 */
export function offers(app: App, credits: number): [Offer, ...Offer[]] {
  const price = BigInt(credits) * CREDIT_PRICE
  const [first, ...others] = purchaseNetworks(app).map((network) => {
    const least = minimumAmount(app.config, network, USDC)
    return offerOn(app, network, price > least ? price : least)
  })
  if (first) return [first, ...others]
  throw new ServiceError(
    'unavailable',
    'this facilitator does not sell credits; it has no address to pay to, or no dollar token',
    { retryAfterSeconds: 3_600 },
  )
}

/** The offer on a network that sells credits, for an amount. */
export function offerOn(app: App, network: NetworkId, amount: bigint): Offer {
  const dollar = dollarOn(network)
  if (!dollar) throw new Error(`no credits are sold on ${network}: it has no dollar token`)
  const extra = advertisedFeePayer(app, [tierOf(app, network) ?? 'standard'], network)
  const payTo = app.config.purchase.payTo[networkRow(network).family] ?? ''
  return {
    network,
    amount,
    asset: dollar.address,
    payTo,
    extra: isEvmNetwork(network) ? { ...dollarOn(network)?.domain, ...extra } : extra,
  }
}

/** Whether an address is one of our Solana fee payers for purchases. */
export function isOurFeePayer(app: App, network: NetworkId, address: string): boolean {
  return feePayersOf(app, tierOf(app, network) ?? 'standard', network).includes(address)
}
