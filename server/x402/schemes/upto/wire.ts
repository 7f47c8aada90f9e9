import { z } from 'zod'
import { atomic } from '../../atomic'
import { evmAddress, wirePermit2 } from '../exact/wire'

/** The `payload` of a payment of this scheme: as of Permit2, with the facilitator in its witness. */
export const wireUpto = wirePermit2.extend({
  permit2Authorization: wirePermit2.shape.permit2Authorization.extend({
    witness: z.object(
      { to: evmAddress, facilitator: evmAddress, validAfter: atomic },
      'must be an object with to, facilitator and validAfter',
    ),
  }),
})
