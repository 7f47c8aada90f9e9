import { wrapFetchWithPayment } from '@x402/fetch'
import { answerOf } from './answer'
import type { Credential } from './sign-in'
import type { Wallet } from './wallet'

/** What a purchase answers. The API key and the endpoint are secret: whoever has them spends the credits. */
export type Purchase = {
  /** `pending` when the payment was sent and has not landed yet: the credits come with it. */
  status: 'paid' | 'pending'
  api_key: string
  /** The facilitator URL of the key. */
  endpoint: string
  credits_added: number
  transaction: string
  environment: 'mainnet' | 'testnet'
}

export type Balance = { credits_remaining: number; credits_used: number; credits_purchased: number }

/** A settlement that was made with a key of the wallet; `payer_amount` in atomic units. */
export type Settlement = { success: boolean; tx_hash: string; payer_amount: string; payer: string; resource: string }

/** Buys credits: asks, is told the price with a 402, signs the payment and asks again, which `wrapFetchWithPayment` does by itself. */
export async function buyCredits(serviceUrl: string, wallet: Wallet, credits: number): Promise<Purchase> {
  const pay = wrapFetchWithPayment(fetch, wallet.client)
  return answerOf(await pay(`${serviceUrl}/api/v1/agent/purchase?credits=${credits}`, { method: 'POST' }))
}

/** What a wallet has left where its purchase counts: credits of test networks settle on test networks only. */
export async function readBalance(
  serviceUrl: string,
  credential: Credential,
  { environment }: Pick<Purchase, 'environment'>,
): Promise<Balance> {
  return answerOf(await fetch(`${serviceUrl}/api/v1/agent/balance?environment=${environment}`, { headers: credential }))
}

/** What was settled with the wallet's keys, newest first. */
export async function readHistory(serviceUrl: string, credential: Credential): Promise<Settlement[]> {
  const response = await fetch(`${serviceUrl}/api/v1/agent/history`, { headers: credential })
  const { settlements } = await answerOf<{ settlements: Settlement[] }>(response)
  return settlements
}
