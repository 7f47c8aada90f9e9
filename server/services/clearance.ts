import type { Judgement } from '../chains/evm/judgement'
import type { Eip3009Payment } from '../x402/payment'
import type { App } from './app'
import type { Facilitator } from './facilitators'
import { judge } from './judging'
import type { Parties } from './screening'

/** Whose addresses are screened for a payment. */
function partiesOf({ transfer, payTo }: Eip3009Payment): Parties {
  return { payer: transfer.authorization.from, payTo }
}

/** Throws `unavailable` when screening is known to be away: before a unit is taken, so that our outage costs nobody's quota. */
export function requireScreening(app: App, { laneClass }: Facilitator, payment: Eip3009Payment): void {
  app.screening[laneClass].requireAvailable(partiesOf(payment))
}

/**
 * Screening and the chain's judgement, side by side. A payment that may not pass is refused whatever the chain says of it: throws
 * `forbidden` for a flagged party, `unavailable` for an unknown verdict, `upstream` when no node answers.
 */
export async function clear(app: App, { chain, laneClass }: Facilitator, payment: Eip3009Payment): Promise<Judgement> {
  const [screened, judged] = await Promise.allSettled([
    app.screening[laneClass].screen(partiesOf(payment)),
    judge(app, chain, payment),
  ])
  if (screened.status === 'rejected') throw screened.reason
  if (judged.status === 'rejected') throw judged.reason
  return judged.value
}
