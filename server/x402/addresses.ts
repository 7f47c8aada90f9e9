import { getAddress, isAddress } from 'viem'

/** An address as the database keeps it: EVM in lower case, anything else as it is. */
export function storedAddress(address: string): string {
  return isAddress(address, { strict: false }) ? address.toLowerCase() : address
}

/** An address as people compare it: EIP-55 for EVM addresses, which are kept in lower case; base58 and nothing at all as they are. */
export function displayAddress(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}
