import type { App } from '../services/app'
import { listingFor } from '../services/listing'
import type { SettleAnswer } from '../services/settle'
import type { Payment } from '../x402/payment'

type Bazaar = { status: 'processing' } | { status: 'rejected'; rejectedReason: string }

/**
 * The `EXTENSION-RESPONSES` header of a settle answer, by which official clients learn what became of `extensions.bazaar`: base64 of
 * `{"bazaar": {status, rejectedReason?}}`. Nothing for a payment that declared none. It says what is certain by now: the catalog is written later.
 */
export function extensionResponses(
  app: Pick<App, 'config'>,
  payment: Payment,
  { settled, logged }: Pick<SettleAnswer, 'settled' | 'logged'>,
): Record<string, string> {
  if (payment.declared.extensions?.bazaar === undefined) return {}
  const bazaar = statusOf(app, payment, settled, logged)
  return { 'extension-responses': Buffer.from(JSON.stringify({ bazaar })).toString('base64') }
}

function statusOf(app: Pick<App, 'config'>, payment: Payment, settled: SettleAnswer['settled'], logged: boolean): Bazaar {
  if (settled.end === 'judged' || settled.end === 'failed') return rejected('only settled payments list their resource')
  if (!logged) return rejected('history is disabled for this API key')
  const listing = listingFor(app, payment)
  return listing && 'rejected' in listing ? rejected(listing.rejected) : { status: 'processing' }
}

const rejected = (rejectedReason: string): Bazaar => ({ status: 'rejected', rejectedReason })
