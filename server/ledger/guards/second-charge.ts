import { sql } from '../../db/sql'
import { guard } from './guard'

/**
 * An earlier payment on the same terms without an answer, for a key that guards against second charges. The database's function locks the
 * terms until the claim commits, so of two claims at once the second one finds the first. Such a claim has a statement of its own.
 */
export const secondCharge = guard({
  rejection: 'second charge',
  limit: ({ secondChargeSeconds }) => ({ secondChargeSeconds }),
  columns: sql`"secondChargeSeconds" int`,
  // Only asked where it counts: it takes a lock.
  holds: sql`CASE WHEN a."secondChargeSeconds" IS NULL THEN true ELSE "unansweredCharge"(a."tenantId", a."caller", a."intentKey", a."network",
    a."asset", a."payer", a."payTo", a."resource", a."amount", a."maximum", a."secondChargeSeconds") IS NULL END`,
  reason: 'second_charge',
  text: () => 'another payment of this payer for the same resource and amount has no answer yet; we took no money for this one',
  retryAfter: 2,
})
