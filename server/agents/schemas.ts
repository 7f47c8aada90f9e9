import { z } from 'zod'
import { VERIFICATIONS_PER_CREDIT } from '../accounts/credit-price'
import { endpointFields } from '../accounts/key-schemas'
import { allowedNetworks, historyEnabled, ownTenant } from '../accounts/schemas'
import { networkChoice } from '../accounts/settings-schemas'
import { expected } from '../http/request'
import { address, amount, component, idOf, networkId, networkName, time, transaction } from '../http/schemas'
import { environments } from '../x402/networks/networks'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'

const PURCHASE = 'https://pay.example/api/v1/agent/purchase'

const accepted = component(
  'CreditOffer',
  z
    .strictObject({
      scheme: z.literal(USUAL_SCHEME),
      network: networkName.meta({ examples: ['eip155:8453'] }),
      amount: amount.optional().meta({ description: 'Same as maxAmountRequired; absent in version 1.', examples: ['100000'] }),
      maxAmountRequired: amount.meta({ description: 'The price of the credits: 1,000 atomic units each.', examples: ['100000'] }),
      resource: z.string().meta({ examples: [PURCHASE] }),
      description: z
        .string()
        .meta({ examples: ['Credits for a payment facilitator endpoint of your own: one settles one payment'] }),
      mimeType: z.string().meta({ examples: ['application/json'] }),
      payTo: address,
      maxTimeoutSeconds: z.int().meta({ description: 'Seconds.', examples: [300] }),
      asset: address.meta({ examples: ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'] }),
      extra: z
        .record(z.string(), z.unknown())
        .meta({ description: 'Data that the client needs to sign.', examples: [{ name: 'USD Coin', version: '2' }] }),
    })
    .describe('A way to pay for credits.'),
)

/** The body of a 402 that offers credits. */
export const creditOffers = component(
  'CreditOffers',
  z
    .strictObject({
      x402Version: z.union([z.literal(1), z.literal(2)]).meta({ examples: [2] }),
      error: z.string().meta({ description: 'Why no credits were bought.', examples: ['payment is required'] }),
      accepts: z.array(accepted),
    })
    .describe('The price of credits and the ways to pay.'),
)

const credits = (description: string, example: number) => z.int().meta({ description, examples: [example] })

const fields = {
  api_key: z
    .string()
    .optional()
    .meta({
      description: 'The key. We show it only once. Absent, as the fields about it, with `key=keep` if the wallet has one.',
      examples: ['qt_EXAMPLE-of-a-key'],
    }),
  key_id: z
    .guid()
    .optional()
    .meta({ description: 'The id of the key; it is not the secret.', examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
  endpoint: endpointFields.endpoint.optional(),
  endpoints: endpointFields.endpoints.optional(),
  credits: credits("The wallet's remaining credits, including this purchase if it is paid.", 100),
  credits_added: credits('The credits of this purchase.', 100),
  wallet: address,
  environment: z.enum(environments).describe('The networks on which these credits pay.'),
  network: networkId,
  transaction,
  plan: z.literal('agent'),
}

export const purchased = component(
  'Purchased',
  z.strictObject({ status: z.literal('paid'), ...fields }).describe('Credits, and a key that spends them.'),
)

export const purchasePending = component(
  'PurchasePending',
  z
    .strictObject({ status: z.literal('pending'), ...fields })
    .describe('The payment is in flight. The key works when the payment lands and `credits_added` arrive.'),
)

const environment = z.enum(environments)
const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })

const figures = {
  credits_remaining: count('How many settlements the credits still pay for.', 97),
  credits_used: count('One for each settlement that we sent.', 3),
  credits_purchased: count('All credits ever bought.', 100),
  verifications_used: count('Verifications so far.', 4),
  verifications_remaining: count(`How many verifications are left; each credit includes ${VERIFICATIONS_PER_CREDIT}.`, 496),
}

/** A wallet's remaining credits. */
export const balance = component(
  'Balance',
  z
    .strictObject({
      wallet: address,
      plan: z.literal('agent'),
      environment: environment.describe('The environment of these figures.'),
      ...figures,
      settlements_used: count('Same as credits_used.', 3),
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
          credits: count('The credits that it bought.', 100),
          transaction,
        })
        .nullable(),
      accounts: z.array(z.strictObject({ environment, ...figures })).describe('The figures of each environment with credits.'),
    })
    .describe('The credits that a wallet bought, used and has left.'),
)

/** A new key for a wallet that has bought credits. */
export const agentKey = component(
  'AgentKey',
  z
    .strictObject({
      api_key: z.string().meta({ description: 'The key. We show it only once.', examples: ['qt_EXAMPLE-of-a-key'] }),
      key_id: idOf('the key'),
      prefix: z.string().meta({ examples: ['qt_EXAMPLE'] }),
      ...endpointFields,
      wallet: address,
      plan: z.literal('agent'),
    })
    .describe("A new key for the wallet's credits. A wallet has at most five; a sixth revokes the least recently used."),
)

/** The settings of a wallet's keys. */
export const agentConfig = component(
  'AgentConfig',
  z
    .strictObject({
      wallet: address,
      history_enabled: z.boolean().meta({ examples: [true] }),
      allowed_networks: allowedNetworks,
      tenants: z.array(ownTenant).describe("Each of the wallet's keys, newest first."),
    })
    .describe("The settings of the wallet's newest key, and of each."),
)

/** The body of `PATCH /api/v1/agent/config`. */
export const agentChanges = component(
  'AgentChanges',
  z
    .strictObject(
      { history_enabled: historyEnabled.optional(), allowed_networks: networkChoice.optional() },
      expected('a JSON object'),
    )
    .transform(({ history_enabled, allowed_networks }) => {
      // Networks alone leave history unchanged; an empty body switches it on.
      if (allowed_networks === undefined) return { historyEnabled: history_enabled ?? true }
      return { allowedNetworks: allowed_networks, ...(history_enabled === undefined ? {} : { historyEnabled: history_enabled }) }
    }),
)
