import { z } from 'zod'
import { expected } from '../http/request'
import { address, amount, component, count, idOf, networkId, plan, time } from '../http/schemas'
import { atomic } from '../x402/amounts'
import { finalities } from '../x402/finality'
import { isNetworkId, networkIds } from '../x402/networks'
import { GRACE_SECONDS, soldPlans } from './plans'

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

const waitUntil = z.enum(finalities, expected(`one of ${finalities.join(', ')}, or null`)).meta({ examples: ['safe'] })

const fields = {
  id: idOf('the tenant, `tenant_id` in histories'),
  owner_kind: z.string().meta({ examples: ['oidc'] }),
  owner_id: z.string().meta({ description: 'The owner: the `sub` of a merchant, or a wallet.', examples: ['acme'] }),
  plan,
  name: z.string().meta({ description: 'A display name.', examples: ['Acme weather'] }),
  history_enabled: z.boolean().meta({ examples: [true] }),
  rps: count.nullable().meta({ description: 'Requests per second; null uses the plan’s limit.', examples: [null] }),
  settlement_quota: count.nullable().meta({ description: 'Settlements a month; null uses the plan’s limit.', examples: [null] }),
  verification_quota: count
    .nullable()
    .meta({ description: 'Verifications a month; null uses the plan’s limit.', examples: [null] }),
  allowed_networks: allowedNetworks,
  pay_to_allow: z.array(address).nullable().describe('The only addresses that may be paid; null allows all.'),
  max_amount: amount.nullable().describe('The maximum of one payment; null for no maximum.'),
  share_transactions: z.boolean().meta({ description: 'Whether its payments may share transactions.', examples: [true] }),
  wait_until: waitUntil.nullable().describe('When settle answers; null: as the prefix does.'),
  created_at: time,
  revoked_at: time.nullable().meta({ examples: [null] }),
  keys: z.array(key).describe('Its live keys.'),
}

/** A tenant as the admin sees it. */
export const tenant = component('Tenant', z.strictObject(fields).describe('A key’s plan, settings and keys.'))

/** The same with its new key. */
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

const RPS_MAX = 10_000
const QUOTA_MAX = 2_000_000_000
const LIST_MAX = 20

const text = (most: number) => z.string(expected('a text')).max(most, `must be at most ${most} characters`)
const whole = (least: number, most: number) => {
  const what = `a whole number from ${least} to ${most}`
  return z.int(expected(what)).min(least, `must be ${what}`).max(most, `must be ${what}`)
}

const network = z.string(expected('a CAIP-2 network id')).refine(isNetworkId, `must be one of ${networkIds.join(', ')}`)

// Written as in payments: EVM addresses in lower case, base58 unchanged.
const ADDRESS = 'must be an address: 0x and 40 hex digits, or base58'
const payee = z
  .string(expected('an address'))
  .regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, ADDRESS)
  .transform((written) => (written.startsWith('0x') ? written.toLowerCase() : written))

/** A list that is not empty, or null; the database stores null as an empty list. */
const listOf = <T extends z.ZodType>(item: T, what: string) =>
  z
    .array(item, expected(`a list of ${what}, or null for all`))
    .min(1, 'must not be empty; null allows all')
    .max(LIST_MAX, `must hold at most ${LIST_MAX} ${what}`)
    .nullable()
    .transform((list) => list ?? [])

/** The networks that a tenant's keys may use; empty allows all. */
export const networkChoice = listOf(network, 'networks').meta({
  description: 'The networks that the keys may use, by CAIP-2 id; null allows all.',
  examples: [['eip155:8453']],
})

/** A tenant's settings as the API accepts them. */
const settings = z.strictObject(
  {
    plan: z.enum(soldPlans, expected(`one of ${soldPlans.join(', ')}`)).meta({ description: 'Its plan.', examples: ['growth'] }),
    name: text(100).meta({ description: 'A display name.', examples: ['Acme weather'] }),
    history_enabled: z
      .boolean(expected('true or false'))
      .meta({ description: 'If false, no history contains its settlements.', examples: [true] }),
    rps: whole(1, RPS_MAX)
      .nullable()
      .meta({ description: 'Requests per second; null uses the plan’s limit.', examples: [null] }),
    settlement_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: 'Settlements a month; null uses the plan’s limit.', examples: [null] }),
    verification_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: 'Verifications a month; null uses the plan’s limit.', examples: [null] }),
    allowed_networks: networkChoice,
    pay_to_allow: listOf(payee, 'addresses').meta({
      description: 'The only addresses that may be paid; null allows all.',
      examples: [['0x209693Bc6afc0C5328bA36FaF03C514EF312287C']],
    }),
    max_amount: atomic
      .refine((value) => value > 0n, 'must be more than 0')
      .nullable()
      .meta({
        description: 'The maximum of one payment in atomic units, as digits; null for no maximum.',
        examples: ['5000000'],
      }),
    share_transactions: z.boolean(expected('true or false')).meta({
      description: 'If false, each of its payments has a transaction of its own.',
      examples: [true],
    }),
    wait_until: waitUntil.nullable().meta({
      description:
        'How certain a payment must be before settle answers success: `preconfirmed` (plans with flash), `included`, `safe` or `finalized`; null: as the prefix does. At the deadline the answer is `settlement_pending`.',
    }),
  },
  expected('a JSON object'),
)

/** The body of `POST /admin/tenants`. */
export const newTenant = component(
  'NewTenant',
  settings
    .partial()
    .extend({
      plan: settings.shape.plan,
      owner_id: text(200)
        .min(1, 'must not be empty')
        .meta({ description: 'The owner: the `sub` of a merchant.', examples: ['acme'] }),
    })
    .transform(({ owner_id, ...given }) => ({
      owner: { kind: 'oidc', id: owner_id },
      plan: given.plan,
      name: given.name ?? '',
      historyEnabled: given.history_enabled ?? true,
      rps: given.rps ?? null,
      settlementQuota: given.settlement_quota ?? null,
      verificationQuota: given.verification_quota ?? null,
      allowedNetworks: given.allowed_networks ?? [],
      payToAllow: given.pay_to_allow ?? [],
      maxAmount: given.max_amount ?? null,
      shareTransactions: given.share_transactions ?? true,
      waitUntil: given.wait_until ?? null,
    })),
)

/** The body of `PATCH /admin/tenants/:id`: absent fields stay unchanged. */
export const tenantChanges = component(
  'TenantChanges',
  settings
    .partial()
    .extend({
      revoked: z
        .boolean(expected('true or false'))
        .optional()
        .meta({ description: 'True blocks all its keys; false unblocks them.', examples: [false] }),
    })
    .transform((given) => ({
      ...named('plan', given.plan),
      ...named('name', given.name),
      ...named('historyEnabled', given.history_enabled),
      ...named('rps', given.rps),
      ...named('settlementQuota', given.settlement_quota),
      ...named('verificationQuota', given.verification_quota),
      ...named('allowedNetworks', given.allowed_networks),
      ...named('payToAllow', given.pay_to_allow),
      ...named('maxAmount', given.max_amount),
      ...named('shareTransactions', given.share_transactions),
      ...named('waitUntil', given.wait_until),
      ...named('revoked', given.revoked),
    }))
    .refine((changes) => Object.keys(changes).length > 0, 'must have at least one field to change'),
)

/** The body of `POST /admin/tenants/:id/rotate`. */
export const rotation = component(
  'Rotation',
  z.strictObject(
    {
      grace_seconds: whole(0, GRACE_SECONDS.most)
        .default(GRACE_SECONDS.usual)
        .meta({ description: 'How long earlier keys stay valid, in seconds.', examples: [3600] }),
    },
    expected('a JSON object'),
  ),
)

/** Whether histories show a key's settlements. */
export const historyEnabled = z
  .boolean(expected('true or false'))
  .meta({ description: 'If false, later settlements stay out of history, catalog, agents and analytics.', examples: [false] })

/** The body of `PATCH /api/me/tenants/:id`. An absent field means true. */
export const merchantChanges = component(
  'HistoryChoice',
  z.strictObject({ history_enabled: historyEnabled.default(true) }, expected('a JSON object')),
)

function named<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // TypeScript widens a computed key to `string`: the cast keeps the name.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V })
}
