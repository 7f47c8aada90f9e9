import { concat, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'

// EIP-712, written out: viem would hash every type again for every payment.

/** The hash of a text, as EIP-712 hashes types and strings. */
export const hashText = (text: string): Hex => keccak256(stringToHex(text))

/** The hash of a struct: its type's hash and its fields, each padded to a word. */
export const hashStruct = (type: Hex, fields: readonly Hex[]): Hex =>
  keccak256(concat([type, ...fields.map((field) => pad(field))]))

/** The hash that a wallet signs for a struct under a domain. */
export const typedDataHash = (separator: Hex, struct: Hex): Hex => keccak256(concat(['0x1901', separator, struct]))

const DOMAIN = hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')

/** The separator of a token's domain. */
export function domainSeparator(chainId: number, contract: Hex, { name, version }: { name: string; version: string }): Hex {
  return hashStruct(DOMAIN, [hashText(name), hashText(version), toHex(chainId), contract])
}
