import { z } from 'zod'
import { symbolsOn } from '../x402/networks/assets'
import { isNetworkId, type NetworkId, networkIds, networkRow } from '../x402/networks/networks'
import { reasonUrl, refusalCodes } from './documented-codes'

/** The named schemas of `/openapi.json`. Not zod's global registry: Next's bundles would register them twice. */
export const components = z.registry<{ id: string }>()

/** Names a schema for the document. Call `describe` first, because it returns another schema. */
export function component<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, { id })
  return schema
}

/** The prefix of a reason's URL in the reference. */
export const REASONS_PAGE = reasonUrl('')

export const networkId = component(
  'NetworkId',
  z.string().meta({
    // Getters, because networks are added after this module is loaded.
    get description() {
      return `A network by its CAIP-2 id: ${networkIds.map((id) => `\`${id}\` (${networkRow(id).title})`).join(', ')}.`
    },
    examples: ['eip155:84532'],
  }),
)

/** A known network by its CAIP-2 id. It follows the networks that are added later, unlike an enum. */
export const knownNetwork = z
  .string()
  .meta({
    get enum() {
      return [...networkIds]
    },
  })
  .transform((written, context): NetworkId => {
    if (isNetworkId(written)) return written
    context.addIssue(`must be one of ${networkIds.join(', ')}`)
    return z.NEVER
  })

/** A choice of known networks, each at most once. */
export const knownNetworks = z
  .array(knownNetwork)
  .refine((chosen) => new Set(chosen).size === chosen.length, 'must name each network once')

export const networkName = component(
  'NetworkName',
  z.string().meta({
    get description() {
      const names = networkIds.map((id) => `\`${networkRow(id).name}\``).join(', ')
      return `A network by its CAIP-2 id or its version 1 name: ${names}.`
    },
    examples: ['eip155:84532'],
  }),
)

export const amount = component(
  'Amount',
  z
    .string()
    .regex(/^\d{1,78}$/)
    .meta({ description: 'Atomic units of the token, as digits. USDC has 6 decimals: `1000000` is 1 USDC.', examples: ['1000'] }),
)

/** What a payer signed at most, of a payment by `upto`. */
export const maximum = amount.describe('Scheme `upto`: what the payer signed at most. The amount is what was charged.')

/** A token by its symbol. */
export const symbol = z.string().meta({ description: 'The symbol of the token.', examples: ['USDC'] })

/** A token as a parameter of a screen: also one that no network settles any more, which the settlements before still name. */
export const symbolQuery = z
  .string()
  .regex(/^[A-Za-z0-9$.+_-]{1,16}$/, 'must be the symbol of a token, such as USDC')
  .meta({ examples: ['EURC'] })
  .optional()

/** A token that some network settles, by its symbol. It follows the networks that are added later, unlike an enum. */
export const settledSymbol = z
  .string()
  .meta({
    get enum() {
      return symbolsOn(networkIds)
    },
    examples: ['EURC'],
  })
  .refine((written) => symbolsOn(networkIds).includes(written), {
    error: () => `must be the symbol of a token that a network settles: one of ${symbolsOn(networkIds).join(', ')}`,
  })

/** How many decimals the amounts of a token have. */
export const decimals = z
  .int()
  .min(0)
  .meta({ description: 'How many decimals amounts of the token have.', examples: [6] })

export const address = component(
  'Address',
  z.string().meta({
    description: 'A wallet or token: 0x and 40 hex digits (EIP-55 checksum in responses), or base58 on Solana.',
    examples: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'],
  }),
)

export const transaction = component(
  'Transaction',
  z.string().meta({
    description: 'The hash of a transaction, or its base58 signature on Solana; empty if none was sent.',
    examples: ['0x89c91c789e57059b17285e7ba1716a1f5ff4c5dace0ea5a5135f26158d0421b9'],
  }),
)

export const time = component(
  'Time',
  z.iso.datetime().meta({ description: 'A time in UTC, ISO 8601 with milliseconds.', examples: ['2026-11-21T12:59:08.496Z'] }),
)

const YEARS = 'must be in the years 1970 to 9998'
const END_MS = Date.parse('9999-01-01T00:00:00Z')

/** A time that a caller names, as milliseconds. PostgreSQL has no year 0 and reads none of five digits. */
export const momentInput = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0 && at < END_MS, YEARS)

/** A date that a caller names. */
export const dateInput = z.iso.date().refine((date) => date >= '1970' && date < '9999', YEARS)

/** The UUID of a tenant, a settlement or a key; `what` it names. */
export const idOf = (what: string) =>
  z.guid().meta({ description: `The UUID of ${what}.`, examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] })

/** The `id` in a path. */
export const idInPath = (what: string) => {
  const id = z.guid(`the ${what} id in the path must be a UUID`).toLowerCase()
  return z.object({ id: id.meta({ description: `The id of the ${what}.`, examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }) })
}

export const payer = component(
  'Payer',
  z.string().meta({
    description: 'The wallet that pays; empty if no signature proves it.',
    examples: ['0x857b06519E91e3A54538791bDbb0E22373e36b66'],
  }),
)

export const resource = component(
  'ResourceUrl',
  z.string().meta({ description: 'The URL of the paid resource.', examples: ['https://merchant.example/weather'] }),
)

export const plan = component(
  'PlanName',
  z.string().meta({
    description: 'A plan: `sandbox`, `free`, `starter`, `growth`, `scale`, or `agent` for bought credits.',
    examples: ['growth'],
  }),
)
export const count = z
  .int()
  .min(0)
  .meta({ examples: [3] })

const reason = (surface: keyof typeof refusalCodes) =>
  z.enum([...refusalCodes[surface]]).meta({
    description: `Why the request was refused. Each code is explained at ${REASONS_PAGE}<code>.`,
    examples: ['quota_exceeded'],
  })

const reasons = {
  settle: component('SettleRefusalReason', reason('settle')),
  verify: component('VerifyRefusalReason', reason('verify')),
} as const

const said = z.string().meta({
  description: 'A readable message: what is wrong and how to fix it.',
  examples: ['more than 5 requests per second; wait 1 s and try again'],
})

/** The body of every error. */
export const refusal = component('Refusal', z.strictObject({ error: said }).describe('Why the request was refused.'))

/** The body of an error on verify, with the fields that official clients read. */
export const verifyRefusal = component(
  'VerifyRefusal',
  z
    .strictObject({
      error: said,
      isValid: z.literal(false),
      invalidReason: reasons.verify,
      invalidMessage: said,
      payer: z.string().meta({ description: 'The payer of the payment; empty if not read yet.', examples: [''] }),
    })
    .describe('Why the request was refused, with the fields that official clients read.'),
)

/** The body of an error on settle, with the fields that official clients read. */
export const settleRefusal = component(
  'SettleRefusal',
  z
    .strictObject({
      error: said,
      success: z.literal(false),
      errorReason: reasons.settle,
      errorMessage: said,
      transaction: z
        .string()
        .meta({ description: 'The transaction hash, on a 409 to the caller of the settlement; else empty.', examples: [''] }),
      network: z
        .string()
        .meta({ description: 'The network as in the request; empty if the body names none.', examples: ['eip155:84532'] }),
      payer: z.string().optional().describe('The payer of the payment; absent if not read yet.'),
      amount: amount.optional().describe('Scheme `upto`, on a 409 to the caller of the settlement: what it charged.'),
    })
    .describe('Why the request was refused, with the fields that official clients read.'),
)

type WireName<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Tail extends Uncapitalize<Tail>
    ? `${Lowercase<Head>}${WireName<Tail>}`
    : `${Lowercase<Head>}_${WireName<Tail>}`
  : S

/** Fields under the names that they have in JSON: `createdAt` is `created_at`. */
type WireNames<T> = { [K in keyof T as K extends string ? WireName<K> : never]: T[K] }

/** Renames the fields of an object to snake case; fields of inner objects keep their names. */
export function wireNames<T extends object>(fields: T): WireNames<T> {
  const named = Object.entries(fields).map(([name, value]) => [name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`), value])
  // Each key is renamed as its type is.
  return Object.fromEntries(named) as WireNames<T>
}
