import type { ClientEvmSigner } from '@x402/evm'
import { type Address, encodeFunctionData, type Hex, serializeErc6492Signature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { factoryAbi } from './abi'
import type { Chain } from './chain'

/** Where the demo's chain has the factory of smart wallets. */
export const WALLET_FACTORY: Address = '0x000000000000000000000000000000000000fac1'

const SALT = 1n

/**
 * A key's smart wallet as an official client signs with it. Nothing deploys it before its first payment: the signature carries the call
 * that does (ERC-6492).
 */
export async function smartWallet({ client }: Chain, ownerKey: Hex): Promise<ClientEvmSigner> {
  const owner = privateKeyToAccount(ownerKey)
  const args = [owner.address, SALT] as const
  const address = await client.readContract({ address: WALLET_FACTORY, abi: factoryAbi, functionName: 'addressOf', args })
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'create', args })
  return {
    address,
    async signTypedData(message) {
      const signature = await owner.signTypedData(asTypedData(message))
      return serializeErc6492Signature({ address: WALLET_FACTORY, data, signature })
    },
  }
}

type TypedData = Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0]

// The official client names the fields of typed data less exactly than viem.
const asTypedData = (message: Parameters<ClientEvmSigner['signTypedData']>[0]) => message as unknown as TypedData
