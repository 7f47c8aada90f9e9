import { unauthorized } from './refusal'
import { readTime } from './time'

/** What a wallet signed to sign in, as either family writes it (EIP-4361, CAIP-122): grammar checked, meaning not yet. */
export type SignInMessage = {
  /** What was signed, to the byte. */
  text: string
  /** Before `://` in the first line, where it is told. */
  scheme: string | undefined
  domain: string
  /** As it was written. */
  address: string
  uri: string
  version: string
  issuedAt: string
  expirationTime: string | undefined
  notBefore: string | undefined
} & ({ family: 'evm'; chainId: number } | { family: 'svm' })

/** Where and for how long messages are good: the public origin of the service, and hours between issue and expiry. */
export type SignInPlace = { baseUrl: string; maxAgeHours: number }

/** Clocks of wallets are a little fast sometimes. */
const FUTURE_MS = 60_000
const HOUR_MS = 3_600_000

type Rule = { broken: (message: SignInMessage, place: SignInPlace, now: number) => boolean; says: (place: SignInPlace) => string }

// In the order of the message; the first broken one is told.
const RULES: readonly Rule[] = [
  {
    broken: ({ domain, scheme }, { baseUrl }) =>
      domain !== new URL(baseUrl).host || (scheme !== undefined && `${scheme}:` !== new URL(baseUrl).protocol),
    says: ({ baseUrl }) => `its domain must be ${new URL(baseUrl).host}, the host of this service; sign a message that names it`,
  },
  {
    broken: ({ uri }, { baseUrl }) => !isSameOrigin(uri, baseUrl),
    says: ({ baseUrl }) => `its URI must be an address of this service, such as ${baseUrl}; sign a message that names it`,
  },
  { broken: ({ version }) => version !== '1', says: () => 'its Version must be 1' },
  {
    broken: ({ issuedAt }) => Number.isNaN(readTime(issuedAt)),
    says: () => 'its Issued At must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ issuedAt }, _, now) => readTime(issuedAt) > now + FUTURE_MS,
    says: () => 'its Issued At is in the future; set the clock of the device and sign a new message',
  },
  {
    broken: ({ expirationTime }) => expirationTime === undefined,
    says: () => 'it has no Expiration Time; sign a message with the line "Expiration Time: <time>"',
  },
  {
    broken: ({ expirationTime }) => Number.isNaN(readTime(expirationTime)),
    says: () => 'its Expiration Time must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ expirationTime }, _, now) => readTime(expirationTime) <= now,
    says: () => 'it has expired; sign a new message',
  },
  {
    broken: ({ issuedAt, expirationTime }) => readTime(expirationTime) <= readTime(issuedAt),
    says: () => 'its Expiration Time must be after its Issued At',
  },
  {
    broken: ({ issuedAt, expirationTime }, { maxAgeHours }) =>
      readTime(expirationTime) - readTime(issuedAt) > maxAgeHours * HOUR_MS,
    says: ({ maxAgeHours }) =>
      `its Expiration Time must be at most ${maxAgeHours} hours after its Issued At; sign a message for a shorter time`,
  },
  {
    broken: ({ notBefore }) => notBefore !== undefined && Number.isNaN(readTime(notBefore)),
    says: () => 'its Not Before must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ notBefore }, _, now) => notBefore !== undefined && readTime(notBefore) > now,
    says: () => 'it is not valid yet: its Not Before is in the future',
  },
]

/** Throws `unauthorized` with the first rule of this service that a message breaks. Nothing of the message itself is told. */
export function requireSound(message: SignInMessage, place: SignInPlace, now: Date): void {
  const rule = RULES.find(({ broken }) => broken(message, place, now.getTime()))
  if (rule) throw unauthorized(`the signed message cannot be taken: ${rule.says(place)}`)
}

// Host and protocol, not `origin`: blob: addresses claim the origin of what they carry.
function isSameOrigin(uri: string, baseUrl: string): boolean {
  if (!URL.canParse(uri)) return false
  const [{ protocol, host, username, password }, own] = [new URL(uri), new URL(baseUrl)]
  return protocol === own.protocol && host === own.host && username === '' && password === ''
}
