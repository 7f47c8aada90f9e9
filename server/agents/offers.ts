import { CREDIT_PRICE, PURCHASE_PATH } from '../accounts/credit-price'
import type { Tier } from '../accounts/plans'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { minimumAmount } from '../payments/admission'
import { feePayersOf, signersOf } from '../payments/facilitators'
import { advertisedFeePayer } from '../payments/supported'
import { malformed } from '../x402/json'
import { dollarOn, USDC } from '../x402/networks/assets'
import { type Environment, environmentOf, isEvmNetwork, type NetworkId, networkIds, networkRow } from '../x402/networks/networks'

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
 * The networks on which credits are offered by default: those that the operator configured, else the served mainnets, else the testnets.
 */
function purchaseNetworks(app: App): NetworkId[] {
  const sold = sellingNetworks(app)
  if (app.config.purchase.networks.length > 0) return sold
  const mainnets = sold.filter((id) => !networkRow(id).testnet)
  return mainnets.length > 0 ? mainnets : sold
}

/** The networks on which credits are sold, which all have a dollar token: those that the operator configured, else all that are served. */
export function sellingNetworks(app: App): NetworkId[] {
  const { networks: named, payTo } = app.config.purchase
  const paid = networkIds.filter((id) => payTo[networkRow(id).family] !== null && tierOf(app, id) !== null)
  const sold = paid.filter((id) => dollarOn(id) !== null)
  return named.length > 0 ? sold.filter((id) => named.includes(id)) : sold
}

/** The tier whose signers settle purchases on a network; null without one. */
export function tierOf(app: App, network: NetworkId): Tier | null {
  const tiers = networkRow(network).testnet ? (['standard', 'sandbox'] as const) : (['standard'] as const)
  return tiers.find((tier) => signersOf(app, tier, network) !== null) ?? null
}

/** What narrows an offer: an environment, one network, or both. */
type OfferFilter = { environment?: Environment | undefined; network?: NetworkId | undefined }

/** The networks of an offer: those of this environment and network. A testnet is offered beside mainnets only to who asks for it. */
function offeredNetworks(app: App, { environment, network }: OfferFilter): NetworkId[] {
  const sold = environment === undefined && network === undefined ? purchaseNetworks(app) : sellingNetworks(app)
  return sold.filter((id) => (network ?? id) === id && (environment ?? environmentOf(id)) === environmentOf(id))
}

/**
 * The offers for so many credits, one per network; for more where the network's minimum payment is higher. Throws `unavailable` if credits
 * are not sold here, `bad_request` if they are sold on other networks only.
 */
export function offers(app: App, credits: number, filter: OfferFilter = {}): [Offer, ...Offer[]] {
  const price = BigInt(credits) * CREDIT_PRICE
  const [first, ...others] = offeredNetworks(app, filter).map((network) => {
    const least = minimumAmount(app.config, network, USDC)
    return offerOn(app, network, price > least ? price : least)
  })
  if (first) return [first, ...others]
  const sold = sellingNetworks(app)
  if (sold.length > 0) throw malformed(`credits are not sold there; they are sold on ${sold.join(', ')}`)
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
