import { z } from 'zod'
import { CREDIT_PRICE, PURCHASE_PATH } from '@/server/accounts/plans'
import { networks } from '@/server/x402/networks'
import { type Required, readRequired, type Terms } from '../wallets/terms'

const purchased = z.object({
  status: z.enum(['paid', 'pending']),
  api_key: z.string(),
  endpoint: z.string(),
  credits_added: z.int(),
  transaction: z.string(),
})

/** What a purchase gave. The key and its URL are secret, and told this once. */
export type Purchased = z.output<typeof purchased>

/** What became of a payment. `unknown` when it may have been made: the same payment may be sent again, and is taken once. */
export type Outcome =
  | { end: 'bought'; purchased: Purchased }
  | { end: 'refused'; message: string }
  | { end: 'unknown'; message: string }

/** What so many credits cost, and where. Throws the service's words when it sells none. `origin` is this website's own unless told. */
export async function askTerms(credits: number, origin = ''): Promise<Required> {
  const response = await fetch(`${origin}${PURCHASE_PATH}?credits=${credits}`)
  const header = response.headers.get('payment-required')
  if (response.status !== 402 || !header) throw new Error(await refusalIn(response))
  return readRequired(header)
}

/**
 * The terms of a network out of an offer, if they are those that were shown: so many credits, for their price in USDC. Throws in words
 * otherwise, for a wallet signs what it is given.
 */
export function termsAsShown({ accepts }: Required, network: string, credits: number): Terms {
  const terms = accepts.find((offered) => offered.network === network)
  if (!terms) throw new Error('Credits are not sold on this network any more.')
  const { amount, asset } = terms
  if (BigInt(amount) === BigInt(credits) * CREDIT_PRICE && isUsdc(asset, terms)) return terms
  throw new Error('The offer is not what this page shows. Reload the page, and pay nothing that you have not seen.')
}

// Case is spelling in hex, and meaning in base58.
const isUsdc = (asset: string, { network }: Terms): boolean =>
  (asset.startsWith('0x') ? asset.toLowerCase() : asset) === networks[network].asset

/** Pays with a signed payment in the PAYMENT-SIGNATURE header. */
export async function pay(header: string, origin = ''): Promise<Outcome> {
  const asked = { method: 'POST', headers: { 'payment-signature': header } }
  const response = await fetch(`${origin}${PURCHASE_PATH}`, asked).catch(noAnswer)
  if (response === null) return { end: 'unknown', message: 'No answer came back.' }
  if (response.ok) {
    const read = purchased.safeParse(await response.json().catch(noAnswer))
    return read.success ? { end: 'bought', purchased: read.data } : { end: 'unknown', message: 'The answer was cut off.' }
  }
  const end = response.status >= 500 || response.headers.has('retry-after') ? 'unknown' : 'refused'
  return { end, message: await refusalIn(response) }
}

// Whether the service got the payment is not known then: told as such.
const noAnswer = () => null

const refusal = z.object({ error: z.string() })

async function refusalIn(response: Response): Promise<string> {
  const read = refusal.safeParse(await response.json().catch(noAnswer))
  return read.success ? read.data.error : `The service answered ${response.status}.`
}
