import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { App } from '../server/app'
import { type Harness, type SignedPayment, signed, v2Body } from './harness'
import { sentCount } from './surface'

type Json = Record<string, unknown>
export type Route = 'verify' | 'settle'

export const HASH = /^0x[0-9a-f]{64}$/
export const routes: Route[] = ['verify', 'settle']
/** The meter of each route. */
export const meters = { verify: 'verification', settle: 'settlement' } as const

export const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** A payment with the body that settles it. */
export type Purchase = { payTo: Address; payer: Address; payment: SignedPayment; body: Json }

/** A new payer's payment to a new recipient, or to the one that is told. */
export async function newPurchase(
  harness: Pick<Harness, 'payer'>,
  { payTo = newAddress(), value = 1_000n, balance = 1_000_000n }: { payTo?: Address; value?: bigint; balance?: bigint } = {},
): Promise<Purchase> {
  const payer = await harness.payer(balance)
  const payment = await signed(payer, { to: payTo, value })
  return { payTo, payer: payer.address, payment, body: v2Body(payment, { requirements: { payTo, amount: String(value) } }) }
}

/** As many payments of one payer, which can afford them all. */
export async function newPurchases({ payer }: Pick<Harness, 'payer'>, count: number): Promise<Json[]> {
  const account = await payer(BigInt(count) * 1_000n)
  return Promise.all(Array.from({ length: count }, async () => v2Body(await signed(account))))
}

/** The body of a refusal on that route: `error` and what official clients build their errors from. */
export function refused(
  route: Route,
  error: string,
  reason: string,
  told: { network?: unknown; payer?: unknown; transaction?: unknown } = {},
): Json {
  const { network = '', payer, transaction = '' } = told
  if (route === 'verify') return { error, isValid: false, invalidReason: reason, invalidMessage: error, payer: payer ?? null }
  return {
    error,
    success: false,
    errorReason: reason,
    errorMessage: error,
    transaction,
    network,
    ...(payer === undefined ? {} : { payer }),
  }
}

/** Units that a subject has used and had given back this month. */
export async function usageOf(app: App, subject: string, route: Route = 'settle'): Promise<{ used: number; returned: number }> {
  const { used, returned } = (await app.db.usage.findFirst({ where: { subject, meter: meters[route] } })) ?? NOTHING
  return { used, returned }
}

const NOTHING = { used: 0, returned: 0 }

/** What a refusal must not change: history, claims that hold, and what our signers sent. */
export async function traces(harness: Harness): Promise<number[]> {
  const { db } = harness.app
  const claims = db.settlement.count({ where: { state: { not: 'REJECTED' } } })
  return Promise.all([db.history.count(), claims, sentCount(harness)])
}
