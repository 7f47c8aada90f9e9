import { TEST_EVENT, type WebhookEvent } from './events'

/** The meaning of each event. */
export const EVENT_MEANINGS: Record<WebhookEvent | typeof TEST_EVENT, string> = {
  'payment.settled': 'The payment settled on-chain.',
  'payment.finalized': 'The network finalized the block of the payment. Nothing can undo it.',
  'payment.failed': 'A payment that passed verification failed and can no longer settle.',
  'payment.reversed': 'A chain reorganization undid a settled payment. This is rare.',
  'alert.quota': '80% of a monthly quota is used, and again when it is used up.',
  'alert.failure_rate': 'In the last hour, a quarter of at least 20 payments failed.',
  'alert.credits': "Under 10% of the credits of your wallet's agent are left, and again when none is.",
  'alert.channel': 'A payer withdraws from a channel, half of its delay is over, or what you charged cannot be claimed.',
  'listing.listed': 'A payment listed one of your resources in the catalog.',
  'listing.changed': 'The declaration or the price of a listed resource changed.',
  'listing.expiring': 'A listing ends within seven days, unless it is paid for.',
  'listing.taken': 'Another account has taken a listing of yours: it is on a plan, or the origin named its payTo.',
  [TEST_EVENT]: 'You sent a test. It contains no payment.',
}
