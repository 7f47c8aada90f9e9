import type { z } from 'zod'
import type { WirePayload } from '../../wire'
import type { wirePermit2 } from '../exact/wire'
import { hex } from '../hex'
import { readSponsoring } from './sponsoring'
import type { Permit2Authorization, PermitTransfer } from './transfers'

/** What a wallet signed for Permit2, in lower case, and how it lets Permit2 take its tokens. */
export function readPermit(
  { permit2Authorization, signature }: z.output<typeof wirePermit2>,
  extensions: WirePayload['extensions'],
): Omit<PermitTransfer<string, Permit2Authorization>, 'kind'> {
  const { from, permitted, spender, nonce, deadline, witness } = permit2Authorization
  return {
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
    },
    sponsoring: readSponsoring(extensions),
  }
}
