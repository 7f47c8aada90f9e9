import { z } from 'zod'
import { expected } from '../http/request'
import { address, component, idOf, plan, time } from '../http/schemas'
import { allowedNetworks } from './schemas'

/** A key's facilitator URL and routes. */
export const endpointFields = {
  endpoint: z
    .string()
    .meta({ description: 'The facilitator URL. Keep it secret.', examples: ['https://pay.example/v1/qt_EXAMPLE-of-a-key'] }),
  endpoints: z.strictObject({
    settle: z.string().meta({ examples: ['https://pay.example/v1/qt_EXAMPLE-of-a-key/settle'] }),
    verify: z.string().meta({ examples: ['https://pay.example/v1/qt_EXAMPLE-of-a-key/verify'] }),
  }),
}

/** The answer to a revocation. */
export const revokedKey = component(
  'RevokedKey',
  z.strictObject({ id: idOf('the key'), revoked: z.literal(true) }).describe('The key is revoked.'),
)

const ofWallet = {
  prefix: z.string().meta({ description: 'Its first characters, to recognise it.', examples: ['qt_EXAMPLE'] }),
  plan,
  name: z.string().meta({ description: 'A display name.', examples: ['Acme weather'] }),
  pay_to: address.describe('The only address that the key pays: the wallet that signed.'),
  allowed_networks: allowedNetworks,
}

/** A new key of a wallet that gets paid. */
export const newWalletKey = component(
  'NewWalletKey',
  z
    .strictObject({
      api_key: z.string().meta({ description: 'The key. We show it only once.', examples: ['qt_EXAMPLE-of-a-key'] }),
      key_id: idOf('the key, also `tenant_id` in histories'),
      ...endpointFields,
      ...ofWallet,
    })
    .describe('A free key that pays only the wallet that signed.'),
)

/** The keys of a wallet. */
export const walletKeys = component(
  'WalletKeys',
  z
    .strictObject({
      keys: z
        .array(
          z.strictObject({
            id: idOf('the key'),
            ...ofWallet,
            pay_to: ofWallet.pay_to
              .nullable()
              .describe('The only address that the key pays; null for a key of the plan `agent`.'),
            created_at: time,
            last_used_at: time.nullable(),
            revoked_at: time.nullable().meta({ description: 'When it ended; null while it works.', examples: [null] }),
          }),
        )
        .describe('Live ones first, then revoked ones; each newest first.'),
    })
    .describe('The keys of a wallet, without their secrets.'),
)

/** The body of `POST /api/v1/keys`, which may be absent. */
export const walletKeyChoice = component(
  'WalletKeyChoice',
  z.strictObject(
    {
      name: z
        .string(expected('a text'))
        .max(100, 'must be at most 100 characters')
        .refine((name) => !name.includes('\0'), 'holds a NUL character')
        .default('')
        .meta({ description: 'A display name.', examples: ['Weather API'] }),
    },
    expected('a JSON object'),
  ),
)
