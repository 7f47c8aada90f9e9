import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../../devnet/chain'

/** A new private key whose address holds ether on these chains. */
export async function fundedKey(...chains: (Chain | null)[]): Promise<Hex> {
  const key = generatePrivateKey()
  for (const chain of chains) await chain?.fund(privateKeyToAccount(key).address, 10n ** 19n)
  return key
}
