import fc from 'fast-check'
import { SERVICE_PAY_TO } from '../../support/service/agents'

/** Every kind of credential. */
export const CREDENTIALS = [
  'nothing',
  'admin key',
  'merchant token',
  'session',
  'signed by EVM',
  'signed by Solana',
  'merchant page',
  'wallet page',
] as const

export type Credential = (typeof CREDENTIALS)[number]

/** The owner of the API key. */
export const OWNER = 'merchant'

/** Names of query parameters, known and unknown. */
export const NAMES = [
  'limit',
  'cursor',
  'direction',
  'offset',
  'type',
  'network',
  'payTo',
  'scheme',
  'extensions',
  'query',
  'days',
  'environment',
  'owner_id',
  'tenant_id',
  'payer',
  'tx_hash',
  'success',
  'credits',
  'x402Version',
  'reader',
  'format',
  'status',
  'key',
  'resource',
  'search',
  'transaction',
  'owner',
  'tenant',
  'input',
  'batch',
  '__proto__',
  'constructor',
  'toString',
  '',
]

/** The credential that a route needs; most requests use it, so that they reach the handler. */
const FITS: [RegExp, Credential][] = [
  [/^\/admin\//, 'admin key'],
  [/^\/api\/me\//, 'merchant token'],
  [/^\/api\/(export|trpc)/, 'merchant page'],
  [/^\/api\/v1\/auth/, 'signed by EVM'],
  [/^\/api\/v1\//, 'session'],
]

/** The credential that opens a route. */
export const fittingCredential = (pattern: string): Credential => FITS.find(([under]) => under.test(pattern))?.[1] ?? 'nothing'

/** A credential for a route, mostly the fitting one. */
export const credential = (pattern: string) => {
  const fitting = fittingCredential(pattern)
  return fc.oneof({ weight: 5, arbitrary: fc.constant(fitting) }, { weight: 1, arbitrary: fc.constantFrom(...CREDENTIALS) })
}

/** Required parameters, without which the rest of the query is not read. */
export const NEEDED: Record<string, string> = {
  '/api/export': 'reader=merchant&format=json',
  '/discovery/search': 'query=weather',
}

// The segments that the router accepts; it refuses others before any handler.
export const passes = (segment: string) => !/[/\\\p{Cc}\p{Cs}]/u.test(segment) && !['', '.', '..'].includes(segment)

/** Whether a header can hold the text. */
export const passesAsHeader = (text: string) => !/[^\t\x20-\x7e\xa0-\xff]/.test(text)

const TENANT = {
  owner_id: OWNER,
  plan: 'growth',
  name: 'Acme',
  history_enabled: true,
  rps: 5,
  settlement_quota: 10,
  verification_quota: 10,
  allowed_networks: ['eip155:84532'],
  pay_to_allow: [SERVICE_PAY_TO],
  max_amount: '1000000',
}

/** Bodies that some route takes. */
export const BODIES: Record<string, unknown>[] = [
  TENANT,
  { ...TENANT, owner_id: undefined },
  { grace_seconds: 60 },
  { history_enabled: false },
  { history_enabled: true, allowed_networks: ['eip155:84532'] },
  { revoked: false },
]
