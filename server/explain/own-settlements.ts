import type { App } from '../app'
import { isServiceError } from '../base/errors'
import type { Reader } from '../history/filters'
import { detailsOf } from '../history/lists'
import { scopeFor } from '../history/procedures'
import { isUuid } from '../http/request'
import { administers, type Principal } from '../sign-in/principal'
import type { SeenSettlement } from './settlement'

/** The settlement with this id that a signed-in reader may see in a history; none for any other text. */
export async function seenBy(app: App, principal: Principal, named: string): Promise<SeenSettlement[]> {
  if (!isUuid(named)) return []
  for (const reader of readersOf(principal)) {
    const found = await find(app, principal, reader, named)
    if (found) return [found]
  }
  return []
}

function readersOf(principal: Principal): Reader[] {
  const own: Reader[] = principal.kind === 'wallet' ? ['payer', 'agent'] : principal.kind === 'merchant' ? ['merchant'] : []
  return administers(principal) ? [...own, 'admin'] : own
}

async function find(app: App, principal: Principal, reader: Reader, id: string): Promise<SeenSettlement | null> {
  try {
    const { success, errorReason, txHash, ...row } = await detailsOf(app, reader, scopeFor({ principal }, reader), id)
    const { network, payer, payTo, amount, asset, resource, createdAt, block, pending } = row
    const state = pending ? 'pending' : success ? 'succeeded' : 'failed'
    return {
      id,
      state,
      network,
      payer,
      payTo,
      amount,
      symbol: asset,
      resource,
      createdAt: new Date(createdAt),
      block,
      reason: errorReason,
      message: null,
      transaction: txHash,
    }
  } catch (error) {
    if (isServiceError(error) && error.refusal === 'not_found') return null
    throw error
  }
}
