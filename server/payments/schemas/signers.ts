import { z } from 'zod'
import { address, component, networkId, time } from '../../http/schemas'

const signer = z.strictObject({
  network: networkId,
  address,
  tier: z.enum(['sandbox', 'production']).meta({ description: 'Whose payments it sends.', examples: ['production'] }),
  role: z
    .enum(['settles', 'fee payer', 'retiring'])
    .meta({ description: 'Sends payments; pays for them on Solana; or takes no new ones.', examples: ['settles'] }),
  validFrom: time.nullable().describe('Since when it sends; null where that is not known.'),
  validUntil: time.nullable().meta({ description: 'When it last could send; null while it can.', examples: [null] }),
})

/** The signers of this service, now and before. */
export const signerList = component(
  'SignerList',
  z
    .strictObject({
      issuer: z.string().meta({ description: 'The base URL of the service.', examples: ['https://pay.example.com'] }),
      signers: z.array(signer),
      jws: z.string().meta({
        description:
          'A compact JWS (ES256) of `iss`, `iat`, `exp` (a day later) and `signers`, by a key of `/.well-known/jwks.json`.',
        examples: ['eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL3BheSJ9.c2lnbmF0dXJl'],
      }),
    })
    .describe('The signers of this service, now and before.'),
)
