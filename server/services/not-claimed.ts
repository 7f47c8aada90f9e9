import { type RefusalReason, ServiceError } from '../errors'
import type { NotClaimed } from '../settlement/engine'
import { networks } from '../x402/networks'
import type { SignedPayment } from '../x402/payment'
import type { App } from './app'
import type { Caller } from './caller'

/** Why the ledger would not take a claim, apart from what a second look can mend. */
export type Obstacle = Exclude<NotClaimed['why'], 'taken' | 'changed' | 'revoked' | 'credits'>

type Told = { message: string; reason: RefusalReason; retryAfterSeconds: number }

/** The refusal for a claim that met an obstacle. Nothing was signed. */
export function obstacle(app: App, caller: Caller, payment: SignedPayment, why: Obstacle): ServiceError {
  const { message, ...facts } = TOLD[why](app, caller, payment)
  return new ServiceError('too_many', message, facts)
}

const TOLD = {
  'payer queue': () => ({
    message: 'this payer has too many payments on their way already; send it again when some have landed',
    reason: 'payer_queue_full',
    retryAfterSeconds: 2,
  }),
  'party queue': () => ({
    message: 'too many of your payments are on their way on this network already; send it again when some have landed',
    reason: 'queue_full',
    retryAfterSeconds: 2,
  }),
  'payer failures': () => ({
    message:
      'three payments of this payer failed on the chain within an hour; its next ones are taken again when that hour is over',
    reason: 'payer_failures',
    retryAfterSeconds: 600,
  }),
  'new payers': () => ({
    message:
      'payments to you failed on the chain within the hour, so payers that have never paid are taken one after the other; send it again in a moment',
    reason: 'payer_queue_full',
    retryAfterSeconds: 5,
  }),
  promised: () => ({
    message: 'too much of your flash volume waits for its blocks; send it again in a moment, or without /flash',
    reason: 'flash_volume_exceeded',
    retryAfterSeconds: 2,
  }),
  'gas budget': (app, { key }, { network }) => ({
    message: `today's gas budget of ${key ? 'this API key' : 'the sandbox'} on ${networks[network].title} is spent; it starts again at midnight UTC`,
    reason: 'gas_budget_exceeded',
    retryAfterSeconds: secondsToMidnight(app.now()),
  }),
} as const satisfies Record<Obstacle, (app: App, caller: Caller, payment: SignedPayment) => Told>

function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1_000))
}
