import { wrapFetchWithPayment } from '@x402/fetch'
import { jsonOf } from './answer'
import type { Credential } from './sign-in'
import type { Wallet } from './wallet'

/** The response to a purchase. The API key and the endpoint are secret: both spend the credits. */
export type Purchase = {
  /** `pending`: the payment was sent and has not landed; the credits come when it lands. */
  status: 'paid' | 'pending'
  api_key: string
  /** The facilitator URL of the key. */
  endpoint: string
  credits_added: number
  transaction: string
  environment: 'mainnet' | 'testnet'
}

export type Balance = { credits_remaining: number; credits_used: number; credits_purchased: number }

/** A settlement with one of the wallet's keys; `payer_amount` in atomic units. */
export type Settlement = { success: boolean; tx_hash: string; payer_amount: string; payer: string; resource: string }

/** Buys credits on the wallet's network. `wrapFetchWithPayment` gets the 402 with the price, signs the payment and sends the request again. */
export async function buyCredits(serviceUrl: string, wallet: Wallet, credits: number): Promise<Purchase> {
  const pay = wrapFetchWithPayment(fetch, wallet.client)
  const query = `credits=${credits}&network=${encodeURIComponent(wallet.network)}`
  return jsonOf(await pay(`${serviceUrl}/api/v1/agent/purchase?${query}`, { method: 'POST' }))
}

/** The wallet's balance in the environment of its purchase: credits from a test network settle on test networks only. */
export async function readBalance(
  serviceUrl: string,
  credential: Credential,
  { environment }: Pick<Purchase, 'environment'>,
): Promise<Balance> {
  return jsonOf(await fetch(`${serviceUrl}/api/v1/agent/balance?environment=${environment}`, { headers: credential }))
}

/** The settlements with the wallet's keys, newest first. */
export async function readHistory(serviceUrl: string, credential: Credential): Promise<Settlement[]> {
  const response = await fetch(`${serviceUrl}/api/v1/agent/history`, { headers: credential })
  const { settlements } = await jsonOf<{ settlements: Settlement[] }>(response)
  return settlements
}
