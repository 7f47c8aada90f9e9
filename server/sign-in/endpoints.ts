import { z } from 'zod'
import { sandboxCaller } from '../accounts/caller'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { address, component } from '../http/schemas'
import { displayAddress } from '../x402/addresses'
import { requireSignature } from './credentials'
import { openSession } from './sessions'

/** Per IP address. */
const EXCHANGES_PER_SECOND = 5

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

export const signIn = endpoint({
  cors: 'open',
  id: 'openSession',
  tag: 'Sign-in',
  summary: 'Exchange a signed message for a session',
  description:
    'Send the two headers and no body. The token is valid for 15 minutes on every route for wallets, but not on this one. 5 requests per second and IP address.',
  rate: {
    per: 'address',
    take: (app, request) => app.rateLimit(`sessions:${sandboxCaller(clientIp(request)).id}`, EXCHANGES_PER_SECOND),
  },
  credentials: { names: ['siwe'], prove: requireSignature },
  reads: {
    headers: z.object({
      'X-SIWE-Message': z
        .string()
        .meta({ description: 'Base64 of the signed message, at most 4 KB.', examples: ['ZXhhbXBsZS5jb20gd2FudHMgeW91…'] }),
      'X-SIWE-Signature': z
        .string()
        .meta({ description: 'The signature as 0x and hex digits; Solana signatures also in base58.', examples: ['0x2d6a…1b'] }),
    }),
  },
  responses: { 200: { description: 'A session.', schema: session } },
  errors: [401, 413, 429, 503],
  async handler({ app, request, who: wallet }) {
    await readBytes(request, DEFAULT_BODY_LIMIT)
    const { token, expiresAt } = await openSession(app, wallet)
    return { token, wallet: displayAddress(wallet), expires_at: expiresAt }
  },
})
