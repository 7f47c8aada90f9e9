import { randomBytes } from 'node:crypto'
import { type Address, type Hex, type LocalAccount, type TypedDataDomain, toHex } from 'viem'
import { localNetwork } from './networks'

export type Authorization = {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

type AuthorizationKind = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/** A transfer of one USDC that is valid now and for an hour, with a fresh nonce; every field can be overridden. */
export function authorization(fromTo: { from: Address; to: Address } & Partial<Authorization>): Authorization {
  return {
    value: 1_000_000n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1_000)) + 3_600n,
    nonce: toHex(randomBytes(32)),
    ...fromTo,
  }
}

/** The EIP-712 domain of USDC on that chain, as Circle publishes it. */
export function usdcDomain(chainId: number) {
  const { usdc, tokenName, tokenVersion } = localNetwork(chainId)
  return { name: tokenName, version: tokenVersion, chainId, verifyingContract: usdc }
}

/** Signs an EIP-3009 message about USDC on that chain. */
export function sign(
  chainId: number,
  signer: LocalAccount,
  message: Authorization,
  primaryType: AuthorizationKind = 'TransferWithAuthorization',
): Promise<Hex> {
  return signUnder(usdcDomain(chainId), signer, message, primaryType)
}

/** Signs an EIP-3009 message about the token of a domain. */
export function signUnder(
  domain: TypedDataDomain,
  signer: LocalAccount,
  message: Authorization,
  primaryType: AuthorizationKind = 'TransferWithAuthorization',
): Promise<Hex> {
  return signer.signTypedData({ domain, types: { [primaryType]: fields }, primaryType, message })
}
