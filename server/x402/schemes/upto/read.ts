import { check } from '../../parse-terms'
import type { Transfer } from '../../payment'
import type { WirePayload } from '../../wire'
import { hex } from '../hex'
import { readPermit } from '../permit2/read'
import { wireUpto } from './wire'

/** What a wallet signed for this scheme; null if the payload is no authorization of it. Throws `bad_request` with the field. */
export function readUpto(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer | null {
  if (!namesFacilitator(inner)) return null
  const wire = check(wireUpto, inner, 'paymentPayload.payload')
  const { authorization, ...signed } = readPermit(wire, extensions)
  const facilitator = hex(wire.permit2Authorization.witness.facilitator)
  return { kind: 'upto', ...signed, authorization: { ...authorization, facilitator } }
}

// Without one the official facilitator reads no payment of this scheme.
function namesFacilitator({ permit2Authorization }: Record<string, unknown>): boolean {
  const witness: unknown = Object(permit2Authorization).witness
  return typeof Object(witness).facilitator === 'string'
}
