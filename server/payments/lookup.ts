import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { isIn, landedStates, type State } from '../ledger/states'
import { readTransaction } from '../x402/addresses'
import { type FoundSettlement, findById, findByTransaction } from './queries'

/** The state of a settlement as its caller sees it. */
export type Standing = 'pending' | 'succeeded' | 'failed'

export type Settlement = Omit<FoundSettlement, 'state'> & { state: Standing }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A caller's settlements with this id, or in any transaction of ours with this hash (docs/api.md "Lost answers"). Throws `bad_request`
 * for any other text and `not_found` when the caller has none.
 */
export async function lookUp(app: App, caller: Caller, written: string): Promise<Settlement[]> {
  const by = { tenantId: caller.tenantId, caller: caller.id }
  const found = await find(app, by, written)
  if (found.length > 0) return found.map((settlement) => ({ ...settlement, state: standing(settlement.state) }))
  throw new ServiceError('not_found', 'none of your settlements has this id or transaction; ask below the URL that settled it')
}

function find(app: App, by: { tenantId: string; caller: string }, written: string): Promise<FoundSettlement[]> {
  if (UUID.test(written)) return findById(app.db, by, written)
  const transaction = readTransaction(written)
  if (transaction !== null) return findByTransaction(app.db, by, transaction)
  throw new ServiceError('bad_request', 'a settlement is named by its x-settlement-id (a UUID) or by its transaction hash')
}

function standing(state: State | null): Standing {
  if (state === null) return 'failed'
  if (isIn(['CLAIMED', 'PREPARED', 'BROADCAST'], state)) return 'pending'
  return isIn(landedStates, state) ? 'succeeded' : 'failed'
}
