import type { Meter } from '../store/usage'
import type { NetworkId } from '../x402/networks'
import type { App } from './app'
import type { Caller } from './caller'
import { meterCredits, peekCredits, takeBackVerification } from './metering-credits'
import { giveBackMonthly, meterMonth, peekMonth, undoMonthly } from './metering-month'
import type { Quota } from './quota'

/** What a caller's requests are paid with: units of a month, a wallet's prepaid credits, or nothing, where the house sells. */
export type Metered = { by: 'month'; subject: string } | { by: 'credits'; wallet: string } | { by: 'nothing' }

/**
 * Takes one unit of what the caller has left; a settlement's credit is taken with its claim, so here it is only asked for. Null where nothing
 * is counted. Throws `too_many` with the headers at 0 when all is spent.
 */
export async function meter(app: App, caller: Caller, network: NetworkId, meter: Meter): Promise<Quota | null> {
  const { metered } = caller
  if (metered.by === 'nothing') return null
  return metered.by === 'month'
    ? meterMonth(app, caller, metered.subject, meter)
    : meterCredits(app, metered.wallet, network, meter)
}

/** What is left, without taking anything. */
export async function peek(app: App, { metered, limits }: Caller, network: NetworkId, meter: Meter): Promise<Quota | null> {
  if (metered.by === 'nothing') return null
  return metered.by === 'month'
    ? peekMonth(app, limits, metered.subject, meter)
    : peekCredits(app, metered.wallet, network, meter)
}

/** Gives a unit back for a refusal that is ours, and says what is left then. */
export async function giveBack(app: App, quota: Quota): Promise<Quota> {
  const { unit } = quota
  if (unit.by === 'month') return giveBackMonthly(app, quota, unit)
  return unit.meter === 'verification' ? takeBackVerification(app, quota, unit) : quota
}

/** Takes back that a unit was taken, for a request that begins anew: not one of those that may be given back. */
export async function undo(app: App, { unit }: Quota): Promise<void> {
  if (unit.by === 'month') await undoMonthly(app, unit)
}
