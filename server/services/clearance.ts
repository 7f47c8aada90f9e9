import { payerIn, type SignedPayment } from '../x402/payment'
import type { App } from './app'
import { type Case, type Failed, judge, type Sound } from './judging'
import type { Parties } from './screening'

/** Whose addresses are screened for a payment. */
function partiesOf(payment: SignedPayment): Parties {
  return { payer: payerIn(payment), payTo: payment.payTo }
}

/** Throws `unavailable` when screening is known to be away: before a unit is taken, so that our outage costs nobody's quota. */
export function requireScreening(app: App, { facilitator, payment }: Case): void {
  app.screening[facilitator.laneClass].requireAvailable(partiesOf(payment))
}

/**
 * Screening and the chain's judgement, side by side. A payment that may not pass is refused whatever the chain says of it: throws
 * `forbidden` for a flagged party, `unavailable` for an unknown verdict, `upstream` when no node answers.
 */
export async function clear(app: App, asked: Case): Promise<{ failed: Failed } | Sound> {
  const [screened, judged] = await Promise.allSettled([
    app.timing.time({ name: 'screen', facts: {} }, () =>
      app.screening[asked.facilitator.laneClass].screen(partiesOf(asked.payment)),
    ),
    app.timing.time({ name: 'judge', facts: { network: asked.payment.network } }, () => judge(app, asked)),
  ])
  if (screened.status === 'rejected') throw screened.reason
  if (judged.status === 'rejected') throw judged.reason
  return judged.value
}
