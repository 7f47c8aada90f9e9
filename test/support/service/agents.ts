import type { LocalAccount } from 'viem'
import { createAgentKey, getBalance, revokeAgentKey } from '../../../server/agents/endpoints'
import { buyCredits, offerCredits } from '../../../server/agents/purchase-endpoints'
import type { App } from '../../../server/app'
import { openSession } from '../../../server/sign-in/sessions'
import { type SignedPayment, signed, v1Body, v2Body } from '../payloads/payments'
import type { Harness } from './harness'
import { asked, documentedAnswer } from './history'
import { type Answer, keyHolder } from './surface'

/** The address that receives credit purchases in tests. */
export const SERVICE_PAY_TO = '0x9A676e781A523b5d0C0e43731313A708CB607508'

/** The environment of a service that sells credits on its EVM networks. */
export const sells = { PURCHASE_PAY_TO_EVM: SERVICE_PAY_TO, PURCHASE_NETWORKS: 'base-sepolia' }

type Headers = Record<string, string>

/** The agent routes, called with a wallet's credential. */
export function agentsOf(app: App) {
  const as = async (wallet: string): Promise<Headers> => {
    const { token } = await openSession(app, wallet.startsWith('0x') ? wallet.toLowerCase() : wallet)
    return { authorization: `Bearer ${token}` }
  }
  return {
    offer: (query = '', headers: Headers = {}) =>
      documentedAnswer('GET /api/v1/agent/purchase', offerCredits.handle(app, asked(`/${query}`, { headers }))),
    buy: (headers: Headers, { query = '', ...by }: { query?: string; ip?: string; signal?: AbortSignal } = {}) =>
      documentedAnswer(
        'POST /api/v1/agent/purchase',
        buyCredits.handle(app, asked(`/${query}`, { method: 'POST', headers, ...by })),
      ),
    balance: async (wallet: string, query = '') =>
      documentedAnswer('GET /api/v1/agent/balance', getBalance.handle(app, asked(`/${query}`, { headers: await as(wallet) }))),
    newKey: async (wallet: string) =>
      documentedAnswer(
        'POST /api/v1/agent/keys',
        createAgentKey.handle(app, asked('/', { method: 'POST', headers: await as(wallet) })),
      ),
    deleteKey: async (wallet: string, id: string) =>
      documentedAnswer(
        'DELETE /api/v1/agent/keys/:id',
        revokeAgentKey.handle(app, asked('/', { method: 'DELETE', headers: await as(wallet) }), { id }),
      ),
  }
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The decoded JSON of a base64 response header. */
export function decoded(answer: Answer, header: string): unknown {
  return JSON.parse(Buffer.from(answer.headers.get(header) ?? '', 'base64').toString())
}

/** A signed payment as a request header, by x402 version. */
export const inHeader = {
  v1: (payment: SignedPayment): Headers => ({ 'x-payment': base64(v1Body(payment).paymentPayload) }),
  v2: (payment: SignedPayment): Headers => ({
    'payment-signature': base64(
      v2Body(payment, { requirements: { payTo: SERVICE_PAY_TO, amount: String(payment.authorization.value) } }).paymentPayload,
    ),
  }),
}

/** A signed payment to the service for this many credits. */
export function payForCredits(payer: LocalAccount, credits: bigint): Promise<SignedPayment> {
  return signed(payer, { to: SERVICE_PAY_TO, value: credits * 1_000n })
}

/** Buys credits; resolves with the response and the API of the new key. Throws unless it succeeds. */
export async function bought({ app, payer }: Pick<Harness, 'app' | 'payer'>, credits = 100n, by?: LocalAccount) {
  const wallet = by ?? (await payer(1_000_000_000n))
  const answer = await agentsOf(app).buy(inHeader.v2(await payForCredits(wallet, credits)))
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
  const body = answer.body as { api_key: string; key_id: string; transaction: string; credits: number }
  return { ...body, answer, wallet, ...keyHolder(app, body.api_key) }
}
