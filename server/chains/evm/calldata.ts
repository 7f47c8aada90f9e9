import { encodeFunctionData, type Hex, parseAbi, prepareEncodeFunctionData } from 'viem'
import type { Authorization } from '../../x402/payment'
import { readEcdsa } from '../../x402/signatures'

/** The parts of an EIP-3009 stablecoin (Circle FiatToken) that we call or whose logs we read. */
export const tokenAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** EIP-1271. */
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

/** Multicall3 has the same address on every network we serve. */
export const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])

export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
export const EIP1271_MAGIC = '0x1626ba7e'

/** How the payer's signature is proven on chain: by its key, or by the code at its address (EIP-1271). */
export type Proof = 'key' | 'code'

// Prepared once: a lookup by name hashes all signatures.
const byKey = prepareEncodeFunctionData({
  abi: parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  ]),
})
const byCode = prepareEncodeFunctionData({
  abi: parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ]),
})
const authorizationState = prepareEncodeFunctionData({ abi: tokenAbi, functionName: 'authorizationState' })
const balanceOf = prepareEncodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf' })
const aggregate3 = prepareEncodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3' })
const isValidSignature = prepareEncodeFunctionData({ abi: walletAbi, functionName: 'isValidSignature' })

/** Calldata of transferWithAuthorization: v, r, s for a key, the bytes overload for a wallet with code. */
export function transferCall(authorization: Authorization, signature: Hex, proof: Proof): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const ecdsa = readEcdsa(signature)
  if (proof === 'key' && ecdsa) {
    const { v, r, s } = ecdsa
    return encodeFunctionData({ ...byKey, args: [from, to, value, validAfter, validBefore, nonce, v, r, s] })
  }
  return encodeFunctionData({ ...byCode, args: [from, to, value, validAfter, validBefore, nonce, signature] })
}

/** Calldata of authorizationState (EIP-3009). */
export function authorizationStateCall({ from, nonce }: Pick<Authorization, 'from' | 'nonce'>): Hex {
  return encodeFunctionData({ ...authorizationState, args: [from, nonce] })
}

/** Calldata of balanceOf. */
export function balanceCall(account: Hex): Hex {
  return encodeFunctionData({ ...balanceOf, args: [account] })
}

/** Calldata of isValidSignature (EIP-1271). */
export function walletCall(hash: Hex, signature: Hex): Hex {
  return encodeFunctionData({ ...isValidSignature, args: [hash, signature] })
}

/** Calldata of Multicall3's aggregate3, in which no call can fail the others. */
export function aggregateCall(calls: readonly { target: Hex; callData: Hex }[]): Hex {
  return encodeFunctionData({ ...aggregate3, args: [calls.map((call) => ({ ...call, allowFailure: true }))] })
}
