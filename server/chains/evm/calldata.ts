import { encodeFunctionData, type Hex } from 'viem'
import type { Authorization } from '../../x402/payment'
import { readEcdsa } from '../../x402/signature'
import { tokenAbi } from './abi'

/** How the payer's signature is proven on chain: by its key, or by the code at its address (EIP-1271). */
export type Proof = 'key' | 'code'

/** Calldata of transferWithAuthorization: v, r, s for a key, the bytes overload for a wallet with code. */
export function transferCall(authorization: Authorization, signature: Hex, proof: Proof): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const ecdsa = readEcdsa(signature)
  if (proof === 'key' && ecdsa) {
    const { v, r, s } = ecdsa
    return encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, v, r, s],
    })
  }
  return encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
}
