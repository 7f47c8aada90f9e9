import { z } from 'zod'
import { environments } from '../../x402/environments'
import { component } from './component'
import { endpointFields } from './purchase'
import { allowedNetworks } from './tenant'
import { address, amount, idOf, networkId, time, transaction } from './words'

const environment = z.enum(environments)
const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })

const figures = {
  credits_remaining: count('Settlements that can still be sent.', 97),
  credits_used: count('One for each settlement that was sent.', 3),
  credits_purchased: count('All that were ever bought.', 100),
  verifications_used: count('Verifications so far.', 4),
  verifications_remaining: count('Five come with each credit.', 496),
}

/** What a wallet has left. */
export const balance = component(
  'Balance',
  z
    .strictObject({
      wallet: address,
      plan: z.literal('agent'),
      environment: environment.describe('Whose figures these are.'),
      ...figures,
      settlements_used: count('The same as credits_used.', 3),
      keys: z
        .array(
          z.strictObject({
            id: idOf('the key'),
            prefix: z.string().meta({ examples: ['qt_EXAMPLE'] }),
            created_at: time,
            last_used_at: time.nullable(),
          }),
        )
        .describe('The live keys, newest first.'),
      allowed_networks: allowedNetworks,
      history_enabled: z.boolean().meta({ examples: [true] }),
      last_purchase: z
        .strictObject({
          created_at: time,
          network: networkId,
          amount: amount.meta({ examples: ['100000'] }),
          credits: count('What it bought.', 100),
          transaction,
        })
        .nullable(),
      accounts: z.array(z.strictObject({ environment, ...figures })).describe('The figures of each environment that has any.'),
    })
    .describe('What a wallet bought, used and has left.'),
)

/** A key that was made just now for a wallet that has bought before. */
export const agentKey = component(
  'AgentKey',
  z
    .strictObject({
      api_key: z.string().meta({ description: 'The key. It is told here and nowhere else.', examples: ['qt_EXAMPLE-of-a-key'] }),
      key_id: idOf('the key'),
      prefix: z.string().meta({ examples: ['qt_EXAMPLE'] }),
      ...endpointFields,
      wallet: address,
      plan: z.literal('agent'),
    })
    .describe('One more key for the wallet’s credits. At most five live; the one unused for longest gives way.'),
)

export const revokedKey = component(
  'RevokedKey',
  z.strictObject({ id: idOf('the key'), revoked: z.literal(true) }).describe('The key opens nothing any more.'),
)
