import { z } from 'zod'
import { soldPlans } from '../services/plans'
import { atomic } from '../x402/amounts'
import { isNetworkId, networkIds } from '../x402/networks'
import { expected } from './checked'

const RPS_MAX = 10_000
const QUOTA_MAX = 2_000_000_000
const LIST_MAX = 20
const GRACE_MAX_SECONDS = 30 * 86_400

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
export const allowedNetworks = listOf(network, 'networks')

/** What a tenant's settings are called on the wire, and what each must be. */
const settings = z.strictObject(
  {
    plan: z.enum(soldPlans, expected(`one of ${soldPlans.join(', ')}`)),
    name: text(100),
    history_enabled: z.boolean(expected('true or false')),
    rps: whole(1, RPS_MAX).nullable(),
    settlement_quota: whole(0, QUOTA_MAX).nullable(),
    verification_quota: whole(0, QUOTA_MAX).nullable(),
    allowed_networks: allowedNetworks,
    pay_to_allow: listOf(address, 'addresses'),
    max_amount: atomic.refine((value) => value > 0n, 'must be more than 0').nullable(),
  },
  expected('a JSON object'),
)

/** The body of `POST /admin/tenants`. */
export const newTenant = settings
  .partial()
  .extend({ plan: settings.shape.plan, owner_id: text(200).min(1, 'must not be empty') })
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
  .extend({ revoked: z.boolean(expected('true or false')).optional() })
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
export const rotation = z.strictObject({ grace_seconds: whole(0, GRACE_MAX_SECONDS).default(86_400) }, expected('a JSON object'))

function named<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  // One key, present exactly when it was given: the type says so, a computed key does not.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V })
}
