import { ed25519 } from '@noble/curves/ed25519'
import { base58, hex } from '@scure/base'
import { type Hex, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { isEvmNetwork, isNetworkId, networkRow } from '@/server/x402/networks/networks'
import type { EvmWallet, SigningWallet, SvmWallet } from './signing-wallet'

const schema = z.array(z.object({ network: z.string().refine(isNetworkId), name: z.string(), key: z.string() }))

type DemoWallet = z.output<typeof schema>[number]

const TIMEOUT_MS = 1_000

/** The wallets that a local demo lends its own pages: those of `npm run agent`, of the sample history and of `npm run pay`. None if the sample merchant does not answer within a second. */
export async function demoWallets(playgroundUrl: string): Promise<SigningWallet[]> {
  try {
    const answer = await fetch(`${playgroundUrl}/wallets`, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return answer.ok ? schema.parse(await answer.json()).flatMap((one) => walletOf(one) ?? []) : []
  } catch {
    return []
  }
}

function walletOf({ network, name, key }: DemoWallet): SigningWallet | null {
  // Two agents may share a network.
  const common = { id: `demo ${name}`, name, icon: null, account: null }
  if (isEvmNetwork(network)) return isHex(key) ? { ...common, ...evm(key, networkRow(network).chainId) } : null
  return { ...common, ...svm(base58.decode(key)) }
}

function evm(key: Hex, chainId: number): Pick<EvmWallet, 'family' | 'connect' | 'sign' | 'signTransfer'> {
  const account = privateKeyToAccount(key)
  return {
    family: 'evm',
    connect: async () => ({ address: account.address, chainId }),
    sign: (message) => account.signMessage({ message }),
    signTransfer: (transfer) => account.signTypedData(transfer),
  }
}

/** `key` is a secret key with its public key, 64 bytes. */
function svm(key: Uint8Array): Pick<SvmWallet, 'family' | 'connect' | 'sign' | 'signTransaction'> {
  return {
    family: 'svm',
    connect: async () => ({ address: base58.encode(key.slice(32)), chainId: 0 }),
    sign: async (message) => `0x${hex.encode(ed25519.sign(new TextEncoder().encode(message), key.slice(0, 32)))}`,
    async signTransaction(bytes) {
      const { Keypair, VersionedTransaction } = await import('@solana/web3.js')
      const transaction = VersionedTransaction.deserialize(bytes)
      transaction.sign([Keypair.fromSecretKey(key)])
      return transaction.serialize()
    },
  }
}
