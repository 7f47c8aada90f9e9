import { type Hex, toHex } from 'viem'
import type { EvmNetworkId } from '../../networks/networks'
import { networkRow } from '../../networks/networks'
import { hashStruct, hashText, typedDataHash } from '../evm-hashes'
import { PERMIT2 } from './contracts'
import type { Permit2Authorization } from './transfers'

const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)'
const PERMISSIONS_TYPE = hashText(PERMISSIONS)
const DOMAIN_TYPE = hashText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const NAME = hashText('Permit2')

/** Permit2's separators by chain id. */
const separators = new Map<number, Hex>()

/** Hashes what payers sign for a proxy whose witness has these fields, which `words` reads. */
export function permitHasher<A extends Permit2Authorization>(witness: string, words: (authorization: A) => readonly Hex[]) {
  const [name] = witness.split('(')
  // EIP-712 has the types that a type names in the order of the alphabet.
  const named = [PERMISSIONS, witness].sort().join('')
  const permitType = hashText(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,${name} witness)${named}`,
  )
  const witnessType = hashText(witness)
  /** The EIP-712 hash that the payer signed: Permit2's own domain, with the proxy's witness. */
  return ({ network, transfer: { authorization } }: { network: EvmNetworkId; transfer: { authorization: A } }): Hex => {
    const { token, value, spender, nonce, deadline } = authorization
    const { chainId } = networkRow(network)
    const separator = separators.get(chainId) ?? hashStruct(DOMAIN_TYPE, [NAME, toHex(chainId), PERMIT2])
    separators.set(chainId, separator)
    const permitted = hashStruct(PERMISSIONS_TYPE, [token, toHex(value)])
    const signed = [permitted, spender, toHex(nonce), toHex(deadline), hashStruct(witnessType, words(authorization))] as const
    return typedDataHash(separator, hashStruct(permitType, signed))
  }
}
