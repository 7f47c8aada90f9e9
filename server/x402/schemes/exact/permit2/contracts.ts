import { parseAbi } from 'viem'

/** Permit2 has this address on every network that has it. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** The x402 proxy of the scheme `exact`: it makes the transfer of a Permit2 payment, for anyone who asks. */
export const EXACT_PROXY = '0x402085c248eea27d92e8b30b2c58ed07f9e20001'

/** The parts of the proxy that we call. */
export const proxyAbi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct Permit2612 { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function PERMIT2() view returns (address)',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Permit2612 permit2612, Permit permit, address owner, Witness witness, bytes signature)',
])

/** The part of Permit2 that says which nonces are used: a bit of a word each. */
export const permit2Abi = parseAbi(['function nonceBitmap(address owner, uint256 word) view returns (uint256)'])
