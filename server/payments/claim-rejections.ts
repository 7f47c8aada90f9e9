import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { type BrokenLimit, guardOf } from '../ledger/guards/guards'
import { networkRow } from '../x402/networks/networks'
import type { Payment } from '../x402/payment'
import { gasBudgetsOf } from './gas-budgets'

/** The refusal of a payment whose claim broke a limit. Nothing was signed. */
export function claimRejection(
  app: App,
  caller: Caller,
  { network }: Pick<Payment, 'network'>,
  broken: BrokenLimit,
): ServiceError {
  const { reason, text, retryAfter } = guardOf(broken)
  const message = text({
    title: networkRow(network).title,
    hasKey: caller.key !== null,
    paysFree: gasBudgetsOf(app, caller, network).free !== 0n,
  })
  const retryAfterSeconds = retryAfter === 'midnight' ? secondsToMidnight(app.now()) : retryAfter
  return new ServiceError('too_many', message, { reason, retryAfterSeconds })
}

function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1_000))
}
