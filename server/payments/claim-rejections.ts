import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { type RefusalReason, ServiceError } from '../base/errors'
import type { NotClaimed } from '../ledger/engine'
import { networkRow } from '../x402/networks/networks'
import type { Payment } from '../x402/payment'
import { gasBudgetsOf } from './gas-budgets'

/** Why the ledger would not take a claim, apart from what a second try can mend. */
export type ClaimRejection = Exclude<NotClaimed['why'], 'taken' | 'changed' | 'revoked' | 'quota' | 'credits'>

type Told = { message: string; reason: RefusalReason; retryAfterSeconds: number }

/** The refusal of a payment when the ledger does not take its claim. Nothing was signed. */
export function claimRejection(app: App, caller: Caller, payment: Payment, why: ClaimRejection): ServiceError {
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
      'payments to you failed on the chain within the hour, so payers that are new to you take turns; send it again in a moment',
    reason: 'payer_queue_full',
    retryAfterSeconds: 5,
  }),
  unconfirmed: () => ({
    message: 'too much of your flash volume waits for its blocks; send it again in a moment, or without /flash',
    reason: 'flash_volume_exceeded',
    retryAfterSeconds: 2,
  }),
  'gas budget': (app, { key }, { network }) => ({
    message: `today's gas budget of ${key ? "this API key's owner and plan" : 'the sandbox'} on ${networkRow(network).title} does not pay for another settlement; it resets at midnight UTC`,
    reason: 'gas_budget_exceeded',
    retryAfterSeconds: secondsToMidnight(app.now()),
  }),
  'free gas budget': (app, caller, { network }) => ({
    message:
      gasBudgetsOf(app, caller, network).free === 0n
        ? `this facilitator pays no gas of free keys on ${networkRow(network).title}; ask its operator for a plan`
        : `your share of today's gas budget of all free keys on ${networkRow(network).title} does not pay for another settlement; it resets at midnight UTC`,
    reason: 'gas_budget_exceeded',
    retryAfterSeconds: secondsToMidnight(app.now()),
  }),
  approvals: (app, _caller, { network }) => ({
    message: `what this facilitator pays a day for payers' approvals on ${networkRow(network).title} is spent; let the payer approve Permit2 itself, or wait until midnight UTC`,
    reason: 'gas_budget_exceeded',
    retryAfterSeconds: secondsToMidnight(app.now()),
  }),
  'free queue': (_app, _caller, { network }) => ({
    message: `payments of free keys on their way may spend the rest of your share of today's gas budget on ${networkRow(network).title}; send it again when some have landed`,
    reason: 'queue_full',
    retryAfterSeconds: 2,
  }),
} as const satisfies Record<ClaimRejection, (app: App, caller: Caller, payment: Payment) => Told>

function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1_000))
}
