import { z } from 'zod'
import { CREDIT_PRICE, PURCHASE_PATH } from '@/server/accounts/credit-price'
import { dollarOn } from '@/server/x402/networks/assets'
import { type Required, readRequired, type Terms } from '../../client/wallets/terms'

const purchased = z.object({
  status: z.enum(['paid', 'pending']),
  api_key: z.string().optional(),
  endpoint: z.string().optional(),
  credits_added: z.int(),
  network: z.string(),
  transaction: z.string(),
})

/** The result of a purchase. A new key and its URL are secret and sent once; a wallet that keeps its key gets none. */
export type Purchased = z.output<typeof purchased>

/** The outcome of a payment. `unknown`: it may have succeeded; resending the same payment is safe. */
type Outcome = { end: 'bought'; purchased: Purchased } | { end: 'refused'; message: string } | { end: 'unknown'; message: string }

/** Fetches the offer for an amount of credits. Throws the error of the service if it sells none. */
export async function fetchTerms(credits: number, origin = ''): Promise<Required> {
  const response = await fetch(`${origin}${PURCHASE_PATH}?credits=${credits}`)
  const header = response.headers.get('payment-required')
  if (response.status !== 402 || !header) throw new Error(await errorIn(response))
  return readRequired(header)
}

/** The terms of a network if they match the credits and price on screen. Throws otherwise, before a wallet signs them. */
export function checkedTerms({ accepts }: Required, network: string, credits: number): Terms {
  const terms = accepts.find((offered) => offered.network === network)
  if (!terms) throw new Error('Credits are no longer sold on this network.')
  const { amount, asset } = terms
  if (BigInt(amount) === BigInt(credits) * CREDIT_PRICE && isDollar(asset, terms)) return terms
  throw new Error('The offer differs from this page. Reload the page and check the price.')
}

// Hex ignores case; base58 does not.
const isDollar = (asset: string, { network }: Terms): boolean =>
  (asset.startsWith('0x') ? asset.toLowerCase() : asset) === dollarOn(network)?.address

/** A new key with the purchase, or the one that the wallet has. */
export type KeyChoice = 'new' | 'keep'

/** Pays with a signed PAYMENT-SIGNATURE header. */
export async function pay(header: string, key: KeyChoice, origin = ''): Promise<Outcome> {
  const init = { method: 'POST', headers: { 'payment-signature': header } }
  const response = await fetch(`${origin}${PURCHASE_PATH}?key=${key}`, init).catch(noResponse)
  if (response === null) return { end: 'unknown', message: 'The service did not respond.' }
  if (response.ok) {
    const read = purchased.safeParse(await response.json().catch(noResponse))
    return read.success ? { end: 'bought', purchased: read.data } : { end: 'unknown', message: 'The response was incomplete.' }
  }
  const end = response.status >= 500 || response.headers.has('retry-after') ? 'unknown' : 'refused'
  return { end, message: await errorIn(response) }
}

// Reported as unknown: the service may have got the payment.
const noResponse = () => null

const errorBody = z.object({ error: z.string() })

async function errorIn(response: Response): Promise<string> {
  const read = errorBody.safeParse(await response.json().catch(noResponse))
  return read.success ? read.data.error : `The service answered ${response.status}.`
}
