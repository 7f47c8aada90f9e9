import { parseAbi } from 'viem'

/** Permit2 has this address on every network that has it. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** The x402 proxy of the scheme `exact`: it makes the transfer of a Permit2 payment, for anyone who asks. */
export const EXACT_PROXY = '0x402085c248eea27d92e8b30b2c58ed07f9e20001'

/** The x402 proxy of the scheme `upto`: it makes the transfer for the one sender that the payer named. */
export const UPTO_PROXY = '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002'

/** The part of both proxies that names their Permit2. */
export const proxyAbi = parseAbi(['function PERMIT2() view returns (address)'])

/** The part of Permit2 that says which nonces are used: a bit of a word each. */
export const permit2Abi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])
