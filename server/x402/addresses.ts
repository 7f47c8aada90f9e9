import { getAddress, isAddress } from 'viem'

/** An address as the database stores it: EVM in lower case, others unchanged. */
export function storedAddress(address: string): string {
  return isAddress(address, { strict: false }) ? address.toLowerCase() : address
}

/** An address as people compare it: EIP-55 for EVM; base58 and the empty text unchanged. */
export function displayAddress(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}
