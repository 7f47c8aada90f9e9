import { z } from 'zod'
import { CREDIT_PRICE, CREDITS_MAX, CREDITS_MIN, creditsFor } from '../accounts/credit-price'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { decodeBase64 } from '../x402/encodings'
import { malformed, parseJson } from '../x402/json'
import { displayMoney } from '../x402/networks/amounts'
import { USDC } from '../x402/networks/assets'
import { OFFER_SECONDS } from '../x402/networks/expiry-margin'
import { type NetworkId, networkRow, readNetwork } from '../x402/networks/networks'
import { parsePayment } from '../x402/parse'
import { isSvm, type Payment, type Transfer } from '../x402/payment'
import { associatedAccount } from '../x402/schemes/exact/svm/associated-account'
import { TOKEN_PROGRAM } from '../x402/schemes/exact/svm/programs'
import { hasOrdinaryLayout, transferIn } from '../x402/schemes/exact/svm/rules'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { isOurFeePayer, offerOn, purchaseUrl, sellingNetworks } from './offers'

const named = z.object({ network: z.string().nullish(), accepted: z.object({ network: z.string().nullish() }).nullish() })

/**
 * Reads the payment in a purchase's header and checks it against our own requirements: any amount, to our address. Throws `bad_request`
 * if unreadable or below the minimum, `forbidden` for a network without sales.
 */
export function readPurchase(app: App, { name, value }: { name: string; value: string }): Payment {
  const payload = parseJson(decodeBase64(value, name), name)
  const spelling = networkIn(payload, name)
  const network = soldOn(app, spelling)
  const least = BigInt(CREDITS_MIN) * CREDIT_PRICE
  const payment = parsePayment({ paymentPayload: payload, paymentRequirements: termsOf(app, network, spelling, least) })
  requireWallet(app, payment)
  // The signed amount sets the credits. A payment without an amount fails its judgement.
  const amount = signedAmount(payment.transfer) ?? least
  requireAmount(amount)
  return { ...payment, amount, declared: { extra: extraFor(app, payment) } }
}

function networkIn(payload: unknown, name: string): string {
  const { data } = named.safeParse(payload)
  const written = data?.accepted?.network ?? data?.network
  if (!written) throw malformed(`${name} has no network (version 2 sends it in accepted)`)
  return written
}

function soldOn(app: App, written: string): NetworkId {
  const sold = sellingNetworks(app)
  const network = readNetwork(written)
  if (network && 'known' in network && sold.includes(network.known)) return network.known
  const titles = new Intl.ListFormat('en').format(sold.map((id) => networkRow(id).title))
  throw new ServiceError('forbidden', `credits are not sold on the network of this payment; pay on ${titles}`, {
    reason: 'invalid_network',
  })
}

function termsOf(app: App, network: NetworkId, spelling: string, amount: bigint): object {
  const { asset, payTo, extra } = offerOn(app, network, amount)
  return {
    scheme: USUAL_SCHEME,
    network: spelling,
    amount: String(amount),
    asset,
    payTo,
    resource: purchaseUrl(app),
    maxTimeoutSeconds: OFFER_SECONDS,
    extra,
  }
}

function signedAmount(transfer: Transfer): bigint | null {
  if (transfer.kind === 'eip3009') return transfer.authorization.value
  return (transfer.kind === 'svm' && transfer.transaction && transferIn(transfer.transaction)?.amount) || null
}

// The credits belong to the payer, and the account of a smart wallet cannot sign in to use them.
function requireWallet({ config }: App, payment: Payment): void {
  if (!isSvm(payment) || config.svm.smartWallets.size === 0 || hasOrdinaryLayout(payment.transfer.transaction)) return
  throw malformed(
    'credits are bought with an ordinary transfer of USDC, not through a smart wallet',
    undefined,
    'invalid_payment',
  )
}

function requireAmount(amount: bigint): void {
  const credits = creditsFor(amount)
  if (credits >= CREDITS_MIN && credits <= CREDITS_MAX) return
  const bound = credits < CREDITS_MIN ? `at least ${CREDITS_MIN}` : `at most ${CREDITS_MAX}`
  const price = displayMoney(BigInt(credits < CREDITS_MIN ? CREDITS_MIN : CREDITS_MAX) * CREDIT_PRICE, USDC)
  throw new ServiceError(
    'bad_request',
    `a purchase must be for ${bound} credits (${price}); this payment is for ${displayMoney(amount, USDC)}`,
    {
      reason: 'invalid_payment_requirements',
    },
  )
}

// The offer may have had any of our fee payers.
function extraFor(app: App, { network, transfer, declared }: Payment): Record<string, unknown> {
  const [feePayer] = transfer.kind === 'svm' ? (transfer.transaction?.accounts ?? []) : []
  return feePayer && isOurFeePayer(app, network, feePayer) ? { ...declared.extra, feePayer } : { ...declared.extra }
}

/** The parts of a Solana payment besides the offer: a recent blockhash and the source and destination token accounts. */
export type TransferParts = { blockhash: string; source: string; destination: string }

/** The parts of a wallet's Solana payment for credits. Throws `bad_request` if this network or wallet cannot pay, `upstream` if no node answers. */
export async function partsOfTransfer(app: App, wallet: string, network: NetworkId): Promise<TransferParts> {
  const configured = app.networks.get(network)
  if (configured?.family !== 'svm' || !sellingNetworks(app).includes(network)) {
    throw new ServiceError('bad_request', `credits are not sold on ${networkRow(network).title} for Solana transactions`)
  }
  const { asset, payTo } = offerOn(app, network, 0n)
  const [source, destination] = [wallet, payTo].map((owner) => associatedAccount(owner, asset, TOKEN_PROGRAM))
  if (!source || !destination) throw new ServiceError('bad_request', 'this wallet has no Solana address')
  return { blockhash: await configured.chain.blockhash(), source, destination }
}
