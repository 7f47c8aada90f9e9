import { z } from 'zod'
import { address, component } from '../http/schemas'

/** The session of a wallet that signed in. */
export const session = component(
  'Session',
  z
    .strictObject({
      token: z
        .string()
        .meta({ description: 'Send it as `Authorization: Bearer st_…`.', examples: ['st_Zm9yIHRoZSBleGFtcGxlIG9ubHk'] }),
      wallet: address,
      expires_at: z.int().meta({ description: 'Unix seconds, 15 minutes ahead.', examples: [1795263300] }),
    })
    .describe('A session of the wallet that signed.'),
)
