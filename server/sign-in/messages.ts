import type { SiweMessage } from 'siwe'
import { getAddress, isAddress } from 'viem'
import { HOUR_MS } from '../base/durations'
import { unauthorized } from '../base/errors'
import { bytes32 } from '../x402/encodings'

/** Reads a whole EIP-4361 message by its grammar; the address must have its checksum. Null for any other text. */
export async function readEvmMessage(text: string): Promise<SignInMessage | null> {
  const parsed = await parsedOrNull(text)
  if (!parsed?.uri || !parsed.issuedAt) return null
  const { scheme, domain, address, uri, version, chainId, nonce, issuedAt, expirationTime, notBefore } = parsed
  const lines = { scheme, domain, address, uri, version, nonce, issuedAt, expirationTime, notBefore }
  return { family: 'evm', text, chainId, ...lines }
}

// The package loads ethers: an instance pays for it with its first sign-in, not with its start.
async function parsedOrNull(text: string): Promise<SiweMessage | null> {
  // Its grammar takes 20 ms for 4 KB of a text that is none.
  if (!isOf(text.split('\n', 1), 'Ethereum')) return null
  const { SiweMessage } = await import('siwe')
  try {
    return new SiweMessage(text)
  } catch {
    // Its errors quote the message, which is a credential.
    return null
  }
}

// CAIP-122 as Solana wallets write it: without a statement some leave one empty line, some two. Chain IDs are names or references.
const MESSAGE = new RegExp(
  [
    String.raw`^(?:(?<scheme>[a-z][a-z0-9+.-]*)://)?(?<domain>[^\s/?#]+) wants you to sign in with your Solana account:\n`,
    String.raw`(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})\n(?:\n{1,2}|\n[^\p{Cc}]+\n\n)`,
    String.raw`URI: (?<uri>\S+)\nVersion: (?<version>\d+)\nChain ID: [\w:-]{1,64}\nNonce: (?<nonce>[A-Za-z0-9]{8,})\nIssued At: (?<issuedAt>\S+)`,
    String.raw`(?:\nExpiration Time: (?<expirationTime>\S+))?(?:\nNot Before: (?<notBefore>\S+))?(?:\nRequest ID: [^\s\p{Cc}]*)?`,
    String.raw`(?:\nResources:(?:\n- \S+)*)?$`,
  ].join(''),
  'u',
)

/** Reads the whole sign-in message of a Solana wallet. Null for any other text. */
export function readSolanaMessage(text: string): SignInMessage | null {
  const found = MESSAGE.exec(text)?.groups
  if (!found) return null
  const {
    scheme,
    domain = '',
    address = '',
    uri = '',
    version = '',
    nonce = '',
    issuedAt = '',
    expirationTime,
    notBefore,
  } = found
  if (!bytes32(address)) return null
  return { family: 'svm', text, scheme, domain, address, uri, version, nonce, issuedAt, expirationTime, notBefore }
}

const RFC_3339 =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(\d{2}))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** An RFC 3339 time in Unix milliseconds. NaN for anything else, impossible days included. */
function readTime(text: string | undefined): number {
  const [, date = '', day = ''] = RFC_3339.exec(text ?? '') ?? []
  // Parsers turn the 30th of February into March.
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number.parseInt(day, 10) ? Date.parse(text ?? '') : Number.NaN
}

/** A sign-in message of either family (EIP-4361, CAIP-122): grammar checked, rules not yet. */
type SignInMessage = {
  /** The exact signed text. */
  text: string
  /** The scheme before `://` in the first line, if any. */
  scheme: string | undefined
  domain: string
  /** As written. */
  address: string
  uri: string
  version: string
  nonce: string
  issuedAt: string
  expirationTime: string | undefined
  notBefore: string | undefined
} & ({ family: 'evm'; chainId: number } | { family: 'svm' })

/** Where and for how long messages are valid: the public origin of the service, and hours between issue and expiry. */
export type SignInOrigin = { baseUrl: string; maxAgeHours: number }

/** Clocks of wallets may be a little fast. */
const FUTURE_MS = 60_000

type Rule = {
  broken: (message: SignInMessage, origin: SignInOrigin, now: number) => boolean
  message: (origin: SignInOrigin) => string
}

// In the order of the message; the first broken rule is reported.
const RULES: readonly Rule[] = [
  {
    broken: ({ domain, scheme }, { baseUrl }) =>
      domain !== new URL(baseUrl).host || (scheme !== undefined && `${scheme}:` !== new URL(baseUrl).protocol),
    message: ({ baseUrl }) => `its domain must be ${new URL(baseUrl).host}, the host of this service; sign a message with it`,
  },
  {
    broken: ({ uri }, { baseUrl }) => !isSameOrigin(uri, baseUrl),
    message: ({ baseUrl }) => `its URI must be a URL of this service, such as ${baseUrl}; sign a message with it`,
  },
  { broken: ({ version }) => version !== '1', message: () => 'its Version must be 1' },
  {
    broken: ({ issuedAt }) => Number.isNaN(readTime(issuedAt)),
    message: () => 'its Issued At must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ issuedAt }, _, now) => readTime(issuedAt) > now + FUTURE_MS,
    message: () => 'its Issued At is in the future; set the clock of the device and sign a new message',
  },
  {
    broken: ({ expirationTime }) => expirationTime === undefined,
    message: () => 'it has no Expiration Time; sign a message with the line "Expiration Time: <time>"',
  },
  {
    broken: ({ expirationTime }) => Number.isNaN(readTime(expirationTime)),
    message: () => 'its Expiration Time must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ expirationTime }, _, now) => readTime(expirationTime) <= now,
    message: () => 'it has expired; sign a new message',
  },
  {
    broken: ({ issuedAt, expirationTime }) => readTime(expirationTime) <= readTime(issuedAt),
    message: () => 'its Expiration Time must be after its Issued At',
  },
  {
    broken: ({ issuedAt, expirationTime }, { maxAgeHours }) =>
      readTime(expirationTime) - readTime(issuedAt) > maxAgeHours * HOUR_MS,
    message: ({ maxAgeHours }) =>
      `its Expiration Time must be at most ${maxAgeHours} hours after its Issued At; sign a message for a shorter time`,
  },
  {
    broken: ({ notBefore }) => notBefore !== undefined && Number.isNaN(readTime(notBefore)),
    message: () => 'its Not Before must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: ({ notBefore }, _, now) => notBefore !== undefined && readTime(notBefore) > now + FUTURE_MS,
    message: () => 'it is not valid yet: its Not Before is in the future',
  },
]

/** Throws `unauthorized` with the first rule that a message breaks, without quoting the message. */
export function requireAcceptable(message: SignInMessage, origin: SignInOrigin, now: Date): void {
  const rule = RULES.find(({ broken }) => broken(message, origin, now.getTime()))
  if (rule) throw unauthorized(`the signed message is not accepted: ${rule.message(origin)}`)
}

/** The longest time between issue and expiry of a message that signs a browser in. */
const BROWSER_MS = 15 * 60_000

/** Throws `unauthorized` unless a message may sign in the browser with this nonce: no other one, and not for long. */
export function requireOfBrowser({ nonce, issuedAt, expirationTime }: SignInMessage, nonceOfBrowser: string): void {
  if (nonce !== nonceOfBrowser) {
    throw unauthorized(
      'the signed message is not accepted: it was signed for another browser or an earlier visit; reload the page and sign a new message',
    )
  }
  if (readTime(expirationTime) - readTime(issuedAt) <= BROWSER_MS) return
  throw unauthorized('the signed message is not accepted: its Expiration Time must be at most 15 minutes after its Issued At')
}

// Host and protocol, not `origin`: blob: URLs have the origin of their content.
function isSameOrigin(uri: string, baseUrl: string): boolean {
  if (!URL.canParse(uri)) return false
  const [{ protocol, host, username, password }, own] = [new URL(uri), new URL(baseUrl)]
  return protocol === own.protocol && host === own.host && username === '' && password === ''
}

type Fault = { broken: (lines: readonly string[]) => boolean; says: string }

const HEAD = /^(?:[a-z][a-z0-9+.-]{0,30}:\/\/)?[^\s/?#]{1,260} wants you to sign in with your (Ethereum|Solana) account:$/
const lineOf = (lines: readonly string[], name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length)
const isOf = (lines: readonly string[], family: string) => HEAD.exec(lines[0] ?? '')?.[1] === family
const malformed = (name: string, form: RegExp) => (lines: readonly string[]) => !form.test(lineOf(lines, name) ?? '')
const untimely = (name: string) => (lines: readonly string[]) => {
  const value = lineOf(lines, name)
  return value !== undefined && Number.isNaN(readTime(value))
}

const FAULTS: readonly Fault[] = [
  {
    broken: (lines) => !HEAD.test(lines[0] ?? ''),
    says: 'its first line must be "<host> wants you to sign in with your Ethereum account:" (or Solana)',
  },
  {
    broken: (lines) => isOf(lines, 'Ethereum') && !isChecksummed(lines[1] ?? ''),
    says: 'its second line must be the address of the wallet, with the capitals of its EIP-55 checksum',
  },
  {
    broken: (lines) => isOf(lines, 'Solana') && !bytes32(lines[1] ?? ''),
    says: 'its second line must be the address of the wallet in base58',
  },
  { broken: malformed('URI: ', /^[^\s]+$/), says: 'it must have a line "URI: " with a URL of this service' },
  { broken: malformed('Version: ', /^1$/), says: 'it must have a line "Version: 1"' },
  { broken: malformed('Chain ID: ', /^[\w:-]+$/), says: 'it must have a line "Chain ID: " with the id of the chain' },
  { broken: malformed('Nonce: ', /^[A-Za-z0-9]{8,}$/), says: 'it must have a line "Nonce: " with at least 8 letters and digits' },
  {
    broken: (lines) => lineOf(lines, 'Issued At: ') === undefined || untimely('Issued At: ')(lines),
    says: 'it must have a line "Issued At: " with a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  {
    broken: untimely('Expiration Time: '),
    says: 'its Expiration Time must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
  },
  { broken: untimely('Not Before: '), says: 'its Not Before must be a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z' },
]

/** What is wrong with a text that is not a sign-in message, for the author of the client. Quotes nothing of it. */
export function faultOf(text: string): string {
  const lines = text.split('\n')
  const flaw = FAULTS.find(({ broken }) => broken(lines))
  return flaw?.says ?? 'it must be an EIP-4361 (CAIP-122) message with no other lines; use a SIWE library to create it'
}

function isChecksummed(line: string): boolean {
  return isAddress(line, { strict: false }) && getAddress(line) === line
}
