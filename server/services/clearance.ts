import { payerIn, type SignedPayment } from '../x402/payment'
import type { App } from './app'
import type { Caller } from './caller'
import { type Case, type Failed, judge, type Sound } from './judging'
import type { Asker, Parties } from './screening'

/** New addresses that a caller without a key may have screened in a minute: of the sandbox, and of purchases. */
const ANONYMOUS_PER_MINUTE = 60

/** Whose addresses are screened for a payment. */
function partiesOf(payment: SignedPayment): Parties {
  return { payer: payerIn(payment), payTo: payment.payTo }
}

// A key may bring a new payer with every request of its rate.
function askerOf({ id, key, limits }: Caller): Asker {
  return { id, perMinute: key ? Math.max(ANONYMOUS_PER_MINUTE, limits.requestsPerSecond * 60) : ANONYMOUS_PER_MINUTE }
}

/**
 * Throws when screening cannot say anything of this payment now: `unavailable` for an outage, `too_many` for a spent budget of the
 * caller. Before a unit is taken, so that neither costs quota.
 */
export function requireScreening(app: App, caller: Caller, { facilitator, payment }: Case): void {
  app.screening[facilitator.laneClass].requireAvailable(partiesOf(payment), askerOf(caller))
}

/**
 * The chain's judgement and then, of what it would let pass, screening: nothing is sent without it, and strangers cannot spend the
 * service's calls with payments without money. Throws `forbidden` for a flagged party, `unavailable` for an unknown verdict,
 * `upstream` when no node answers.
 */
export async function clear(app: App, caller: Caller, asked: Case): Promise<{ failed: Failed } | Sound> {
  const judged = await app.timing.time({ name: 'judge', facts: { network: asked.payment.network } }, () => judge(app, asked))
  if ('failed' in judged) return judged
  await app.timing.time({ name: 'screen', facts: {} }, () =>
    app.screening[asked.facilitator.laneClass].screen(partiesOf(asked.payment), askerOf(caller)),
  )
  return judged
}
