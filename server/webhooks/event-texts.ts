import { TEST_EVENT, type WebhookEvent } from './events'

/** The meaning of each event. */
export const EVENT_MEANINGS: Record<WebhookEvent | typeof TEST_EVENT, string> = {
  'payment.settled': 'The payment settled on-chain.',
  'payment.finalized': 'The network finalized the block of the payment. Nothing can undo it.',
  'payment.failed': 'A payment that passed verification failed and can no longer settle.',
  'payment.reversed': 'A chain reorganization undid a settled payment. This is rare.',
  'alert.quota': '80% of a monthly quota is used. Sent again when all of it is.',
  'alert.failure_rate': 'In the last hour, a quarter of at least 20 payments failed.',
  'alert.credits': 'Your agent has under 10% of its credits left. Sent again when they run out.',
  'alert.channel': 'A payer starts to withdraw from a channel, half of the delay is over, or a charge cannot be claimed.',
  'listing.listed': 'A payment listed one of your resources in the catalog.',
  'listing.changed': 'The declaration or the price of a listed resource changed.',
  'listing.expiring': 'A listing ends within seven days, unless it is paid for.',
  'listing.taken': 'Another account took over a listing: it is on a plan, or the origin names its payTo.',
  [TEST_EVENT]: 'You sent a test. It contains no payment.',
}
