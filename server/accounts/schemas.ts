import { z } from 'zod'
import { expected } from '../http/request'
import { address, amount, component, count, idOf, networkId, plan, time } from '../http/schemas'
import { finalities } from '../x402/networks/finality'
import { ownerIn } from './tenant-queries'

/** The networks that a tenant's keys may use. */
export const allowedNetworks = z.array(networkId).nullable().describe('The networks that the keys may use; null allows all.')

const key = component(
  'ApiKey',
  z
    .strictObject({
      id: idOf('the key'),
      prefix: z.string().meta({ description: 'Its first characters, to recognise it.', examples: ['qt_EXAMPLE'] }),
      created_at: time,
      last_used_at: time.nullable(),
      grace_until: time.nullable().describe('When it ends after a rotation; null while it is current.'),
    })
    .describe('An API key, without its secret.'),
)

/** The finality for which settle waits. */
export const waitUntil = z.enum(finalities, expected(`one of ${finalities.join(', ')}, or null`)).meta({ examples: ['safe'] })

const fields = {
  id: idOf('the tenant, `tenant_id` in histories'),
  owner_kind: z.string().meta({ examples: ['oidc'] }),
  owner_id: z.string().meta({ description: 'The owner: the `sub` of a merchant, or a wallet.', examples: ['acme'] }),
  plan,
  name: z.string().meta({ description: 'A display name.', examples: ['Acme weather'] }),
  history_enabled: z.boolean().meta({ examples: [true] }),
  rps: count.nullable().meta({ description: "Requests per second; null uses the plan's limit.", examples: [null] }),
  settlement_quota: count.nullable().meta({ description: "Settlements a month; null uses the plan's limit.", examples: [null] }),
  verification_quota: count
    .nullable()
    .meta({ description: "Verifications a month; null uses the plan's limit.", examples: [null] }),
  allowed_networks: allowedNetworks,
  pay_to_allow: z.array(address).nullable().describe('The only addresses that may be paid; null allows all.'),
  max_amount: amount.nullable().describe('The maximum of one payment; null for no maximum.'),
  share_transactions: z.boolean().meta({ description: 'Whether its payments may share transactions.', examples: [true] }),
  wait_until: waitUntil.nullable().describe('When settle answers; null: as the prefix does.'),
  public_receipts: z.boolean().meta({ description: 'Whether each of its receipts has a public page.', examples: [false] }),
  claim_above: amount.nullable().describe('Unclaimed vouchers of a channel from which they are claimed; null: 10 whole tokens.'),
  claim_after_seconds: count.nullable().meta({
    description: 'They are claimed at the latest after so long, and after a third of the withdraw delay; null: an hour.',
    examples: [null],
  }),
  claim_max_gas_price: amount.nullable().describe('The wei of gas above which claims by amount wait; null: they never do.'),
  created_at: time,
  revoked_at: time.nullable().meta({ examples: [null] }),
  keys: z.array(key).describe('Its live keys.'),
}

/** A tenant as the admin sees it. */
export const tenant = component('Tenant', z.strictObject(fields).describe("A key's plan, settings and keys."))

/** A tenant as the admin sees it, with its new key. */
export const tenantWithKey = component(
  'TenantWithKey',
  z
    .strictObject({
      ...fields,
      api_key: z.string().meta({
        description: 'The new key. We show it only once.',
        examples: ['qt_EXAMPLE-of-a-key'],
      }),
      prefix: z.string().meta({ description: 'Its first characters.', examples: ['qt_EXAMPLE'] }),
    })
    .describe('A tenant with its new key.'),
)

/** A key of a merchant or wallet, with its secret. */
export const ownKeyWithSecret = component(
  'KeyWithSecret',
  z
    .strictObject({
      ...fields,
      api_key: z.string().meta({ description: 'The new secret. We show it only once.', examples: ['qt_EXAMPLE-of-a-key'] }),
      prefix: z.string().meta({ description: 'Its first characters.', examples: ['qt_EXAMPLE'] }),
      endpoint: z
        .string()
        .meta({ description: 'The facilitator URL. Keep it secret.', examples: ['https://pay.example/v1/qt_EXAMPLE-of-a-key'] }),
    })
    .describe('A key with its new secret.'),
)

/** The keys of a merchant or wallet. */
export const ownKeys = component(
  'OwnKeys',
  z
    .strictObject({ keys: z.array(tenant).describe('Live ones first, then revoked ones; each newest first.') })
    .describe('Your keys, without their secrets.'),
)

/** A page of tenants. */
export const tenantPage = component(
  'TenantPage',
  z
    .strictObject({
      tenants: z.array(tenant).describe('Newest first.'),
      cursor: z.string().meta({ description: 'Pass it to get the next page.', examples: ['MDE5YWIx…'] }),
      has_more: z.boolean().meta({ examples: [false] }),
    })
    .describe('A page of tenants.'),
)

const own = {
  id: idOf('the tenant'),
  name: fields.name,
  plan,
  history_enabled: z.boolean().meta({ examples: [false] }),
  allowed_networks: allowedNetworks,
}

/** The part of a tenant that its owner sees and changes. */
export const ownTenant = component('OwnTenant', z.strictObject(own).describe('The settings of a key that you own.'))

const OWNER_MAX = 200
const OWNER_LENGTH = `must have 1 to ${OWNER_MAX} characters`

/** The `owner` filter of admin requests; a wallet in any letter case. */
export const ownerQuery = z
  .string()
  .meta({ examples: ['acme'] })
  .refine((id) => !id.includes('\0'), { message: 'holds a NUL character', abort: true })
  .refine((id) => id !== '' && id.length <= OWNER_MAX, OWNER_LENGTH)
  .transform(ownerIn)
  .optional()
  .meta({ description: 'Only this owner.' })

/** The `tenant` filter of admin requests. */
export const tenantQuery = z
  .guid('must be a UUID')
  .meta({ examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] })
  .transform((id) => id.toLowerCase())
  .optional()
  .meta({ description: 'Only this tenant.' })

/** Whether histories show a key's settlements. */
export const historyEnabled = z
  .boolean(expected('true or false'))
  .meta({ description: 'If false, later settlements stay out of history, catalog, agents and analytics.', examples: [false] })

/** The body of `PATCH /api/me/tenants/:id`. An absent field means true. */
export const merchantChanges = component(
  'HistoryChoice',
  z.strictObject({ history_enabled: historyEnabled.default(true) }, expected('a JSON object')),
)
