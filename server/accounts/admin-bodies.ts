import { z } from 'zod'
import { expected } from '../http/request'
import { NONCE_DIGITS } from '../operations/lanes'
import { atomic } from '../x402/amounts'
import { isNetworkId, networkIds } from '../x402/networks'
import { GRACE_SECONDS, soldPlans } from './plans'

const RPS_MAX = 10_000
const QUOTA_MAX = 2_000_000_000
const LIST_MAX = 20

const text = (most: number) => z.string(expected('a text')).max(most, `must be at most ${most} characters`)
const whole = (least: number, most: number) => {
  const what = `a whole number from ${least} to ${most}`
  return z.int(expected(what)).min(least, `must be ${what}`).max(most, `must be ${what}`)
}

const network = z.string(expected('a CAIP-2 network id')).refine(isNetworkId, `must be one of ${networkIds.join(', ')}`)

// As payments write them: EVM addresses in lower case, base58 as it is.
const address = z
  .string(expected('an address'))
  .regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, 'must be an address: 0x and 40 hex digits, or base58')
  .transform((written) => (written.startsWith('0x') ? written.toLowerCase() : written))

/** A list that is not empty, or null for none: as the store keeps it. */
const listOf = <T extends z.ZodType>(item: T, what: string) =>
  z
    .array(item, expected(`a list of ${what}, or null for all`))
    .min(1, 'must not be empty; null allows all')
    .max(LIST_MAX, `must hold at most ${LIST_MAX} ${what}`)
    .nullable()
    .transform((list) => list ?? [])

/** The networks that a tenant's keys may use; empty for all. */
export const allowedNetworks = listOf(network, 'networks').meta({
  description: 'The networks that the keys may use, by CAIP-2 id; null for all.',
  examples: [['eip155:8453']],
})

/** What a tenant's settings are called on the wire, and what each must be. */
const settings = z.strictObject(
  {
    plan: z.enum(soldPlans, expected(`one of ${soldPlans.join(', ')}`)).meta({ description: 'Its plan.', examples: ['growth'] }),
    name: text(100).meta({ description: 'What people call it.', examples: ['Acme weather'] }),
    history_enabled: z
      .boolean(expected('true or false'))
      .meta({ description: 'False keeps its settlements out of every history.', examples: [true] }),
    rps: whole(1, RPS_MAX)
      .nullable()
      .meta({ description: 'Requests per second; null for the plan’s.', examples: [null] }),
    settlement_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: 'Settlements a month; null for the plan’s.', examples: [null] }),
    verification_quota: whole(0, QUOTA_MAX)
      .nullable()
      .meta({ description: 'Verifications a month; null for the plan’s.', examples: [null] }),
    allowed_networks: allowedNetworks,
    pay_to_allow: listOf(address, 'addresses').meta({
      description: 'The only addresses that may be paid; null for all.',
      examples: [['0x209693Bc6afc0C5328bA36FaF03C514EF312287C']],
    }),
    max_amount: atomic
      .refine((value) => value > 0n, 'must be more than 0')
      .nullable()
      .meta({
        description: 'The most that one payment may be, atomic units as digits; null for no maximum.',
        examples: ['5000000'],
      }),
  },
  expected('a JSON object'),
)

/** The body of `POST /admin/tenants`. */
export const newTenant = settings
  .partial()
  .extend({
    plan: settings.shape.plan,
    owner_id: text(200)
      .min(1, 'must not be empty')
      .meta({ description: 'Whose it is: the `sub` of a merchant.', examples: ['acme'] }),
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
  }))

/** The body of `PATCH /admin/tenants/:id`: only what is named is changed. */
export const tenantChanges = settings
  .partial()
  .extend({
    revoked: z
      .boolean(expected('true or false'))
      .optional()
      .meta({ description: 'True closes all its keys; false opens them again.', examples: [false] }),
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
    ...named('revoked', given.revoked),
  }))
  .refine((changes) => Object.keys(changes).length > 0, 'must name something to change')

/** The body of `POST /admin/tenants/:id/rotate`. */
export const rotation = z.strictObject(
  {
    grace_seconds: whole(0, GRACE_SECONDS.most)
      .default(GRACE_SECONDS.usual)
      .meta({ description: 'How long earlier keys still work, seconds.', examples: [3600] }),
  },
  expected('a JSON object'),
)

/** The body of `POST /admin/lanes/:id/release`. */
export const release = z.strictObject(
  {
    next_nonce: z
      .string(expected('a nonce as digits'))
      .regex(NONCE_DIGITS, 'must be a nonce as digits')
      .meta({ description: 'The `release_at` of the lane: you have looked at every transaction below it.', examples: ['20'] })
      .transform(BigInt),
  },
  expected('a JSON object'),
)

function named<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // One key, present exactly when it was given: the type says so, a computed key does not.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V })
}
