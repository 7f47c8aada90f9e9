import { ParsedMessage } from '@spruceid/siwe-parser'
import type { SignInMessage } from './sign-in-message'

/**
 * Reads a message of EIP-4361 by its grammar, all of it: nothing may come before, between or after its lines, and the address has its
 * checksum. Null for anything else.
 */
export function readEvmMessage(text: string): SignInMessage | null {
  const parsed = parsedOrNull(text)
  if (!parsed?.uri) return null
  const { scheme, domain, address, uri, version, chainId, issuedAt, expirationTime, notBefore } = parsed
  const lines = { scheme, domain, address, uri, version, issuedAt, expirationTime, notBefore }
  return { family: 'evm', text, chainId, ...lines }
}

// Its errors quote the message, which is a credential.
function parsedOrNull(text: string): ParsedMessage | null {
  try {
    return new ParsedMessage(text)
  } catch {
    return null
  }
}
