import { ipSubject } from '../accounts/caller'
import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { clientIp } from '../http/request'
import { receiptUrl, TOKEN, writeKeyLink } from '../ledger/statements/receipt-links'
import { findByLink } from './queries'
import type { SettleAnswer } from './settle'

/** The receipt of a public page. */
export type PublicReceipt = { receipt: string }

/**
 * The receipt that has this public page, with its state as of now, for whoever knows the address. Null for an unknown and for a withdrawn
 * one; why it was not read where too many were asked for at once.
 */
export async function publicReceipt(
  app: App,
  headers: Headers,
  token: string,
): Promise<PublicReceipt | null | { refused: string }> {
  if (!TOKEN.test(token)) return null
  const reader = `address ${ipSubject(clientIp({ headers }))}`
  try {
    const found = await app.lists(reader, (db) => findByLink(db, token))
    if (!found) return null
    const facts = { ...found, reversed: found.state === 'REVERSED' }
    const receipt = app.receipts.signAsOf(facts, found.reachedAt ?? found.createdAt)
    return receipt === null ? null : { receipt }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { refused: error.message }
  }
}

/** Whether a caller's settlements have public receipts: its key says so, and they are kept. */
type Sharing = { tenantId: string; publicReceipts: boolean; logged: boolean }

/**
 * The public page of a payment that landed, for a key whose receipts are public. Null for any other, after a withdrawal, and where it could
 * not be made: the answer of a payment does not depend on it.
 */
export async function landedUrl(app: App, caller: Sharing, { settled }: Pick<SettleAnswer, 'settled'>): Promise<string | null> {
  if (settled.end !== 'landed' || !caller.publicReceipts || !caller.logged) return null
  try {
    const token = await writeKeyLink(app.db, settled.settlementId, caller.tenantId)
    return token && receiptUrl(app.config.baseUrl, token)
  } catch (error) {
    app.log.warn({ err: error, settlementId: settled.settlementId }, 'the public page of a receipt could not be made')
    return null
  }
}
