import { z } from 'zod'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { findKey } from './queries'

/** The header that makes a retry the same request. */
export const IDEMPOTENCY_KEY = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/)
  .optional()
  .meta({
    description:
      'A retry with the same key within 24 hours replays the response. 1 to 255 visible ASCII characters; keys are per tenant, in the sandbox per IP address.',
    examples: ['order-4711'],
  })

/** A stored response. */
export const keptAnswer = z.object({ body: z.record(z.string(), z.unknown()), headers: z.record(z.string(), z.string()) })

/** What a caller's `Idempotency-Key` belongs to: the settlement of the stored response, else the intent of its payment. Null for an unknown key. */
export async function heldBy(
  { db }: Pick<App, 'db'>,
  { id }: Pick<Caller, 'id'>,
  key: string,
): Promise<{ settlementId: string } | { intentKey: Uint8Array } | null> {
  const row = await findKey(db, { scope: id, key })
  const settlementId = row?.answer ? keptAnswer.parse(JSON.parse(row.answer)).headers['x-settlement-id'] : undefined
  if (settlementId !== undefined) return { settlementId }
  return row?.intentKey ? { intentKey: row.intentKey } : null
}
