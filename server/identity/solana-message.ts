import { bytes32 } from '../x402/base58'
import type { SignInMessage } from './sign-in-message'

// CAIP-122 as Solana's wallets write it: without a statement some leave one empty line, some two. Chain IDs are names or references.
const MESSAGE = new RegExp(
  [
    String.raw`^(?:(?<scheme>[a-z][a-z0-9+.-]*)://)?(?<domain>[^\s/?#]+) wants you to sign in with your Solana account:\n`,
    String.raw`(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})\n(?:\n{1,2}|\n[^\p{Cc}]+\n\n)`,
    String.raw`URI: (?<uri>\S+)\nVersion: (?<version>\d+)\nChain ID: [\w:-]{1,64}\nNonce: [A-Za-z0-9]{8,}\nIssued At: (?<issuedAt>\S+)`,
    String.raw`(?:\nExpiration Time: (?<expirationTime>\S+))?(?:\nNot Before: (?<notBefore>\S+))?(?:\nRequest ID: [^\s\p{Cc}]*)?`,
    String.raw`(?:\nResources:(?:\n- \S+)*)?$`,
  ].join(''),
  'u',
)

/** Reads the message with which Solana's wallets sign in, all of it. Null for anything else. */
export function readSolanaMessage(text: string): SignInMessage | null {
  const found = MESSAGE.exec(text)?.groups
  if (!found) return null
  const { scheme, domain = '', address = '', uri = '', version = '', issuedAt = '', expirationTime, notBefore } = found
  if (!bytes32(address)) return null
  return { family: 'svm', text, scheme, domain, address, uri, version, issuedAt, expirationTime, notBefore }
}
