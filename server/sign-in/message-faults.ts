import { getAddress, isAddress } from 'viem'
import { bytes32 } from '../x402/encodings'
import { readTime } from './messages'

type Fault = { broken: (lines: readonly string[]) => boolean; says: string }

const HEAD = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s/?#]+ wants you to sign in with your (Ethereum|Solana) account:$/
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
