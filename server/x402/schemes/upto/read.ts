import { check } from '../../parse-terms'
import type { Transfer } from '../../payment'
import type { WirePayload } from '../../wire'
import { hex } from '../exact/read'
import { readSponsoring } from '../permit2/sponsoring'
import { wireUpto } from './wire'

/** What a wallet signed for this scheme; null if the payload is no authorization of it. Throws `bad_request` with the field. */
export function readUpto(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer | null {
  if (!namesFacilitator(inner)) return null
  const { permit2Authorization, signature } = check(wireUpto, inner, 'paymentPayload.payload')
  const { from, permitted, spender, nonce, deadline, witness } = permit2Authorization
  return {
    kind: 'upto',
    writtenFrom: from,
    signature: hex(signature),
    authorization: {
      from: hex(from),
      to: hex(witness.to),
      token: hex(permitted.token),
      spender: hex(spender),
      value: permitted.amount,
      nonce,
      deadline,
      validAfter: witness.validAfter,
      facilitator: hex(witness.facilitator),
    },
    sponsoring: readSponsoring(extensions),
  }
}

// Without one the official facilitator reads no payment of this scheme.
function namesFacilitator({ permit2Authorization }: Record<string, unknown>): boolean {
  const witness: unknown = Object(permit2Authorization).witness
  return typeof Object(witness).facilitator === 'string'
}
