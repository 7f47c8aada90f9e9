import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { receiptUrl, restoreLink, type Sharer, withdrawLink, writeLink } from '../ledger/statements/receipt-links'
import { readEntry } from './list-queries'
import { detailsOf } from './lists'
import type { HistoryFilter } from './queries'

/** The public pages that one wallet as payer, or one merchant, may have at once. */
export const LINKS_MAX = 1_000
/** How often a payer or a merchant may share and withdraw. */
const PER_SECOND = 5

/** A party of a payment: what it may see, and as whom it shares. */
export type Party = { sharer: Sharer; scope: HistoryFilter }

/**
 * Gives the receipt of a party's payment a public page, or returns the one it has. Throws `not_found` for another's payment, `conflict`
 * for one without a receipt and beyond the bound, `too_many` beyond the rate.
 */
export async function shareReceipt(app: App, { sharer, scope }: Party, id: string): Promise<{ url: string }> {
  await limit(app, sharer)
  const { settlementId, receipt } = await detailsOf(app, sharer.side, scope, id)
  if (settlementId === null || receipt === null) throw new ServiceError('conflict', 'this payment has no receipt to share')
  const token = await writeLink(app.db, settlementId, sharer, LINKS_MAX)
  if (token === null) {
    throw new ServiceError('conflict', `you share ${LINKS_MAX} receipts, which is the maximum; stop sharing one first`)
  }
  return { url: receiptUrl(app.config.baseUrl, token) }
}

/** Takes the public page of a receipt away: its address answers as an unknown one. Throws as `shareReceipt`; none to withdraw is no error. */
export async function withdrawReceipt(app: App, { sharer, scope }: Party, id: string): Promise<void> {
  await limit(app, sharer)
  await withdrawLink(app.db, await settlementIn(app, scope, id), sharer.side)
}

/** Undoes the last withdrawal of this party. Throws as `shareReceipt`, and `conflict` when there is none of the last hour. */
export async function restoreReceipt(app: App, { sharer, scope }: Party, id: string): Promise<{ url: string }> {
  await limit(app, sharer)
  const token = await restoreLink(app.db, await settlementIn(app, scope, id), sharer.side)
  if (token === null) throw new ServiceError('conflict', 'there is no withdrawal to undo; share the receipt again')
  return { url: receiptUrl(app.config.baseUrl, token) }
}

const limit = (app: App, { side, id }: Sharer) => app.rateLimit(`receipts:${side}:${id}`, PER_SECOND)

async function settlementIn(app: App, scope: HistoryFilter, id: string): Promise<string> {
  const row = await readEntry(app.db, scope, id)
  if (!row?.settlementId) throw new ServiceError('not_found', 'you have no settlement with this id')
  return row.settlementId
}
