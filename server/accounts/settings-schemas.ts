import { z } from 'zod'
import { expected } from '../http/request'
import { component } from '../http/schemas'
import { atomic } from '../x402/atomic'
import { isNetworkId, networkIds } from '../x402/networks/networks'
import { soldPlans } from './plans'
import { secondChargeSeconds, waitUntil } from './schemas'

/** How long an earlier key or secret stays valid after a rotation, in seconds: the default and the maximum. */
export const GRACE_SECONDS = { usual: 86400, most: 30 * 86400 } as const

const RPS_MAX = 10_000
const QUOTA_MAX = 2_000_000_000
const LIST_MAX = 20
/** After how long vouchers are claimed, in seconds: at least a minute, at most the longest withdraw delay of a channel. */
export const CLAIM_AFTER_S = { least: 60, most: 2_592_000 } as const

const text = (most: number) => z.string(expected('a text')).max(most, `must be at most ${most} characters`)
const whole = (least: number, most: number) => {
  const what = `a whole number from ${least} to ${most}`
  return z.int(expected(what)).min(least, `must be ${what}`).max(most, `must be ${what}`)
}

const network = z
  .string(expected('a CAIP-2 network id'))
  .refine(isNetworkId, { error: () => `must be one of ${networkIds.join(', ')}` })

// Written as in payments: EVM addresses in lower case, base58 unchanged.
const ADDRESS = 'must be an address: 0x and 40 hex digits, or base58'
const payee = z
  .string(expected('an address'))
  .regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, ADDRESS)
  .transform((written) => (written.startsWith('0x') ? written.toLowerCase() : written))

/** A list that is not empty, or null; the database stores null as an empty list. */
const listOf = <T extends z.ZodType>(item: T, what: string, most = () => LIST_MAX) =>
  z
    .array(item, expected(`a list of ${what}, or null for all`))
    .min(1, 'must not be empty; null allows all')
    .refine((list) => list.length <= most(), { error: () => `must hold at most ${most()} ${what}` })
    .meta({
      get maxItems() {
        return most()
      },
    })
    .nullable()
    .transform((list) => list ?? [])

/** The networks that a tenant's keys may use; empty allows all. */
export const networkChoice = listOf(network, 'networks', () => Math.max(LIST_MAX, networkIds.length)).meta({
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
      .meta({ description: "Requests per second; null uses the plan's limit.", examples: [null] }),
    settlement_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: "Settlements a month; null uses the plan's limit.", examples: [null] }),
    verification_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: "Verifications a month; null uses the plan's limit.", examples: [null] }),
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
    second_charge_seconds: secondChargeSeconds.nullable().meta({
      description:
        'For this long after a payment whose answer may be lost, a second one of the same payer, `payTo`, `resource` and amount is refused (409) and takes no money: 1 to 600 seconds; null: never.',
    }),
    public_receipts: z.boolean(expected('true or false')).meta({
      description: 'If true, each of its receipts has a public page, which settle answers and webhooks name.',
      examples: [false],
    }),
    claim_above: atomic
      .refine((value) => value > 0n, 'must be more than 0')
      .nullable()
      .meta({
        description: 'Vouchers of a channel are claimed once so much is unclaimed, in atomic units; null: 10 whole tokens.',
        examples: ['5000000'],
      }),
    claim_after_seconds: whole(CLAIM_AFTER_S.least, CLAIM_AFTER_S.most)
      .nullable()
      .meta({
        description: 'They are claimed at the latest after so long, and after a third of the withdraw delay; null: an hour.',
        examples: [300],
      }),
    claim_max_gas_price: atomic.nullable().meta({
      description: 'While gas costs more, in wei, claims by amount wait for their time; null: they never do.',
      examples: ['1000000000'],
    }),
  },
  expected('a JSON object'),
)

/** The limits that an administrator sets for a tenant; null uses those of its plan. */
export const tenantLimits = z.object({
  rps: settings.shape.rps.optional(),
  settlementQuota: settings.shape.settlement_quota.optional(),
  verificationQuota: settings.shape.verification_quota.optional(),
})

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
      publicReceipts: given.public_receipts ?? false,
      secondChargeSeconds: given.second_charge_seconds ?? null,
      claimAbove: given.claim_above ?? null,
      claimAfterSeconds: given.claim_after_seconds ?? null,
      claimMaxGasPrice: given.claim_max_gas_price ?? null,
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
      ...named('publicReceipts', given.public_receipts),
      ...named('secondChargeSeconds', given.second_charge_seconds),
      ...named('claimAbove', given.claim_above),
      ...named('claimAfterSeconds', given.claim_after_seconds),
      ...named('claimMaxGasPrice', given.claim_max_gas_price),
      ...named('revoked', given.revoked),
    }))
    .refine((changes) => Object.keys(changes).length > 0, 'must have at least one field to change'),
)

const ownSettings = settings
  .pick({
    name: true,
    history_enabled: true,
    allowed_networks: true,
    pay_to_allow: true,
    max_amount: true,
    share_transactions: true,
    wait_until: true,
    second_charge_seconds: true,
    public_receipts: true,
    claim_above: true,
    claim_after_seconds: true,
    claim_max_gas_price: true,
  })
  .partial()

type OwnSettings = z.output<typeof ownSettings>

// Absent fields stay absent: they keep their value.
const ownFields = (given: OwnSettings) => ({
  ...named('name', given.name),
  ...named('historyEnabled', given.history_enabled),
  ...named('allowedNetworks', given.allowed_networks),
  ...named('payToAllow', given.pay_to_allow),
  ...named('maxAmount', given.max_amount),
  ...named('shareTransactions', given.share_transactions),
  ...named('waitUntil', given.wait_until),
  ...named('publicReceipts', given.public_receipts),
  ...named('secondChargeSeconds', given.second_charge_seconds),
  ...named('claimAbove', given.claim_above),
  ...named('claimAfterSeconds', given.claim_after_seconds),
  ...named('claimMaxGasPrice', given.claim_max_gas_price),
})

/** The body of `POST /api/me/keys`, which may be absent. */
export const newOwnKey = component(
  'NewKey',
  ownSettings.transform((given) => ({ ...ownFields(given), name: given.name ?? '' })),
)

/** The body of `PATCH /api/me/keys/:id`: absent fields stay unchanged. */
export const ownKeyChanges = component(
  'KeyChanges',
  ownSettings.transform(ownFields).refine((changes) => Object.keys(changes).length > 0, 'must have at least one field to change'),
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

function named<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // TypeScript widens a computed key to `string`: the cast keeps the name.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V })
}
