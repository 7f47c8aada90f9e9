import { z } from 'zod'
import { CREDITS_MAX, CREDITS_MIN } from '../../accounts/plans'
import { environments, networkIds } from '../../x402/networks'
import { idOf } from '../schemas'
import { headerExamples } from './headers'

/** What a request says beside its body. What is not named is ignored. */
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; about: string; required: boolean; schema: z.ZodType }

const inPath = (name: string, about: string, schema: z.ZodType): Parameter => ({
  name,
  in: 'path',
  about,
  required: true,
  schema,
})
const inQuery = (name: string, about: string, schema: z.ZodType): Parameter => ({
  name,
  in: 'query',
  about,
  required: false,
  schema,
})
const inHeader = (name: string, about: string, schema: z.ZodType): Parameter => ({
  name,
  in: 'header',
  about,
  required: false,
  schema,
})

const text = (example: string) => z.string().meta({ examples: [example] })
const limit = (usual: number) =>
  z
    .int()
    .min(1)
    .default(usual)
    .meta({ examples: [usual] })

/** The parameters of paths, by what they name. */
export const paths = {
  key: inPath('key', 'The API key.', text('qt_EXAMPLE-of-a-key')),
  settlement: inPath(
    'id',
    'The `x-settlement-id`, or the hash of a transaction (on Solana its signature).',
    text('019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'),
  ),
  tenant: inPath('id', 'The id of the tenant.', idOf('the tenant')),
  lane: inPath('id', 'The id of the lane.', idOf('the lane')),
  agentKey: inPath('id', 'The `key_id`.', idOf('the key')),
} as const

export const idempotencyKey = inHeader(
  'Idempotency-Key',
  'Makes a repetition within 24 hours the same request: 1 to 255 visible ASCII characters, per tenant (in the sandbox per IP address).',
  z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .meta({ examples: ['order-4711'] }),
)

/** The credential of a route that takes nothing else: required there. */
export const siweHeaders = [
  {
    ...inHeader('X-SIWE-Message', 'Base64 of the signed message, at most 4 KB.', text('ZXhhbXBsZS5jb20gd2FudHMgeW91…')),
    required: true,
  },
  {
    ...inHeader('X-SIWE-Signature', '0x and the hex digits of the signature; of Solana also base58.', text('0x2d6a…1b')),
    required: true,
  },
] as const satisfies Parameter[]

/** What an offer of credits is asked for. */
export const offer = [
  inQuery('credits', 'How many the offer is for.', z.int().min(CREDITS_MIN).max(CREDITS_MAX).default(CREDITS_MIN)),
  inQuery('x402Version', 'Whose names the body uses; `1` for clients of version 1.', z.literal([1, 2]).default(2)),
] as const satisfies Parameter[]

/** A payment of either version; one of them. */
export const paymentHeaders = [
  inHeader('PAYMENT-SIGNATURE', 'A payment of x402 version 2, base64 of JSON.', text(headerExamples.v2)),
  inHeader('X-PAYMENT', 'A payment of x402 version 1, base64 of JSON.', text(headerExamples.v1)),
] as const satisfies Parameter[]

export const environment = [
  inQuery('environment', 'Whose credits; unless told, the mainnets’ where the wallet bought some.', z.enum(environments)),
] as const satisfies Parameter[]

/** What `/health` is asked beside whether the process is up. */
export const readiness = [
  inQuery('ready', '`1`: whether payments can be sent here now.', z.literal(['1'])),
] as const satisfies Parameter[]

/** Whom the admin asks about. */
export const ownership = [
  inQuery('owner_id', 'Only of this owner.', text('acme')),
  inQuery('tenant_id', 'Only of this tenant.', idOf('the tenant')),
] as const satisfies Parameter[]

/** The page of a history. */
export const historyPage = [
  inQuery('limit', '1 to 100; more is served as 100.', limit(50)),
  inQuery('cursor', 'The `cursor` of an earlier page of the same list, reader and filters.', text('AZk1…')),
  inQuery(
    'direction',
    '`before`: older than that page; `after`: the nearest newer ones.',
    z.enum(['before', 'after']).default('before'),
  ),
] as const satisfies Parameter[]

/** What the admin filters a history by; all that are given must hold. */
export const historyFilters = [
  ...ownership,
  inQuery('payer', 'Only of this wallet.', text('0x857b06519E91e3A54538791bDbb0E22373e36b66')),
  inQuery('tx_hash', 'Only in this transaction.', text('0x89c91c789e57059b17285e7ba1716a1f5ff4c5dace0ea5a5135f26158d0421b9')),
  inQuery('success', 'Only successes, or only failures.', z.boolean().meta({ examples: [false] })),
] as const satisfies Parameter[]

export const tenantPage = [
  inQuery('limit', '1 to 100; more is served as 100.', limit(50)),
  inQuery('cursor', 'The `cursor` of the page before.', text('MDE5YWIx…')),
  inQuery('owner_id', 'Only of this owner.', text('acme')),
] as const satisfies Parameter[]

export const analyticsWindow = [
  inQuery('days', 'How many finished UTC days.', z.literal([7, 30, 90]).default(30)),
  inQuery('network', 'Only of this network.', z.enum(networkIds)),
] as const satisfies Parameter[]

const catalogFilters = [
  inQuery('type', 'Nothing else is listed.', z.literal('http').default('http')),
  inQuery(
    'network',
    'A CAIP-2 id or a name of version 1; chooses between the catalogs of mainnets and testnets.',
    text('eip155:8453'),
  ),
  inQuery('payTo', 'Only what pays this address.', text('0x209693Bc6afc0C5328bA36FaF03C514EF312287C')),
  inQuery('scheme', 'Only `exact` is listed.', text('exact')),
  inQuery('extensions', '`bazaar` leaves entries of version 1 out.', text('bazaar')),
  inHeader('If-None-Match', 'The `etag` of an earlier answer.', text('"0123456789abcdefghijkl"')),
]

export const listing = [
  inQuery('limit', '1 to 100; more is served as 100.', limit(100)),
  inQuery('offset', 'How many entries to skip.', z.int().min(0).max(10_000).default(0)),
  ...catalogFilters,
] as const satisfies Parameter[]

export const searching = [
  { ...inQuery('query', 'What is looked for, in words: 1 to 200 characters.', text('weather in lisbon')), required: true },
  inQuery('limit', '1 to 100; more is served as 100.', limit(20)),
  inQuery('cursor', 'The `cursor` of the page before.', text('bzIw')),
  ...catalogFilters,
] as const satisfies Parameter[]
