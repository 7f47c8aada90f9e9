import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { App } from '../../../server/app'
import { type SignedPayment, signed, v2Body } from '../payloads/payments'
import type { Harness } from './harness'
import { sentCount } from './surface'

type Json = Record<string, unknown>
export type Route = 'verify' | 'settle'

export const HASH = /^0x[0-9a-f]{64}$/
export const routes: Route[] = ['verify', 'settle']
/** The meter of each route. */
export const meters = { verify: 'verification', settle: 'settlement' } as const

export const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** A payment and its settle body. */
export type Purchase = { payTo: Address; payer: Address; payment: SignedPayment; body: Json }

/** A new payer's payment, to a new recipient if `payTo` is unset. */
export async function newPurchase(
  harness: Pick<Harness, 'payer'>,
  { payTo = newAddress(), value = 1_000n, balance = 1_000_000n }: { payTo?: Address; value?: bigint; balance?: bigint } = {},
): Promise<Purchase> {
  const payer = await harness.payer(balance)
  const payment = await signed(payer, { to: payTo, value })
  return { payTo, payer: payer.address, payment, body: v2Body(payment, { requirements: { payTo, amount: String(value) } }) }
}

/** The settle bodies of `count` payments of one payer with enough USDC. */
export async function newPurchases({ payer }: Pick<Harness, 'payer'>, count: number): Promise<Json[]> {
  const account = await payer(BigInt(count) * 1_000n)
  return Promise.all(Array.from({ length: count }, async () => v2Body(await signed(account))))
}

/** The body of a refusal on that route: `error`, and the fields that official clients read. */
export function refused(
  route: Route,
  error: string,
  reason: string,
  fields: { network?: unknown; payer?: unknown; transaction?: unknown } = {},
): Json {
  const { network = '', payer, transaction = '' } = fields
  if (route === 'verify') return { error, isValid: false, invalidReason: reason, invalidMessage: error, payer: payer ?? '' }
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

/** The units that a subject used and got back this month. */
export async function usageOf(app: App, subject: string, route: Route = 'settle'): Promise<{ used: number; returned: number }> {
  const { used, returned } = (await app.db.usage.findFirst({ where: { subject, meter: meters[route] } })) ?? NOTHING
  return { used, returned }
}

const NOTHING = { used: 0, returned: 0 }

/** The counts that a refusal must not change: history rows, held claims and our sent transactions. */
export async function traces(harness: Harness): Promise<number[]> {
  const { db } = harness.app
  const claims = db.settlement.count({ where: { state: { not: 'REJECTED' } } })
  return Promise.all([db.history.count(), claims, sentCount(harness)])
}
