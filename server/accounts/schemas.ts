import { z } from 'zod'
import { address, amount, component, count, idOf, networkId, plan, time } from '../http/schemas'

/** The networks that a tenant's keys may use. */
export const allowedNetworks = z.array(networkId).nullable().describe('The networks that the keys may use; null for all.')

const key = component(
  'ApiKey',
  z
    .strictObject({
      id: idOf('the key'),
      prefix: z.string().meta({ description: 'Its first characters, by which it is recognised.', examples: ['qt_EXAMPLE'] }),
      created_at: time,
      last_used_at: time.nullable(),
      grace_until: time.nullable().describe('Until when it works after a rotation; null while it is current.'),
    })
    .describe('An API key, without its secret.'),
)

const fields = {
  id: idOf('the tenant: `tenant_id` in histories'),
  owner_kind: z.string().meta({ examples: ['oidc'] }),
  owner_id: z.string().meta({ description: 'Whose it is: the `sub` of a merchant, or a wallet.', examples: ['acme'] }),
  plan,
  name: z.string().meta({ description: 'What people call it.', examples: ['Acme weather'] }),
  history_enabled: z.boolean().meta({ examples: [true] }),
  rps: count.nullable().meta({ description: 'Requests per second; null for the plan’s.', examples: [null] }),
  settlement_quota: count.nullable().meta({ description: 'Settlements a month; null for the plan’s.', examples: [null] }),
  verification_quota: count.nullable().meta({ description: 'Verifications a month; null for the plan’s.', examples: [null] }),
  allowed_networks: allowedNetworks,
  pay_to_allow: z.array(address).nullable().describe('The only addresses that may be paid; null for all.'),
  max_amount: amount.nullable().describe('The most that one payment may be; null for no maximum.'),
  created_at: time,
  revoked_at: time.nullable().meta({ examples: [null] }),
  keys: z.array(key).describe('Its live keys.'),
}

/** A tenant as the admin sees it. */
export const tenant = component('Tenant', z.strictObject(fields).describe('A key’s plan, settings and keys.'))

/** The same with a key that was made just now. */
export const tenantWithKey = component(
  'TenantWithKey',
  z
    .strictObject({
      ...fields,
      api_key: z.string().meta({
        description: 'The new key. It is told here and nowhere else.',
        examples: ['qt_EXAMPLE-of-a-key'],
      }),
      prefix: z.string().meta({ description: 'Its first characters.', examples: ['qt_EXAMPLE'] }),
    })
    .describe('A tenant with its new key.'),
)

/** A page of tenants. */
export const tenantPage = component(
  'TenantPage',
  z
    .strictObject({
      tenants: z.array(tenant).describe('Newest first.'),
      cursor: z.string().meta({ description: 'For the page after this one.', examples: ['MDE5YWIx…'] }),
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

/** What its owner may see and change of a tenant. */
export const ownTenant = component('OwnTenant', z.strictObject(own).describe('The settings of one’s own key.'))

/** What a wallet has set for its keys. */
export const agentConfig = component(
  'AgentConfig',
  z
    .strictObject({
      wallet: address,
      history_enabled: z.boolean().meta({ examples: [true] }),
      allowed_networks: allowedNetworks,
      tenants: z.array(ownTenant).describe('Each of the wallet’s keys, newest first.'),
    })
    .describe('The settings of the wallet’s newest key, and of each.'),
)
