import type { App } from '../services/app'
import { lookUp, type Settlement } from '../services/lookup'
import type { Prefix } from '../services/prefixes'
import { displayAddress } from '../x402/addresses'
import { identify, type Params } from './prefix'
import { limitReading } from './reading'
import { API_HEADERS } from './refusal'

/** `GET {prefix}/settlements/{id or transaction}`: what became of a settlement, for whoever lost its answer. */
export function settlementsUnder(prefix: Prefix) {
  return async (app: App, request: Request, params: Params): Promise<Response> => {
    const caller = await identify(app, prefix, request, params).caller()
    await limitReading(app, caller)
    const found = await lookUp(app, caller, params.id ?? '')
    return Response.json({ settlements: found.map(shown) }, { headers: API_HEADERS })
  }
}

function shown({ id, state, reason, detail, txHash, network, payer, payTo, amount, resource, createdAt }: Settlement) {
  return {
    ...{ id, state, reason, message: detail, transaction: txHash ?? '', network, payer: displayAddress(payer), pay_to: displayAddress(payTo) },
    ...{ amount, resource },
    created_at: createdAt.toISOString(),
  }
}
