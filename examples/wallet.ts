import { createKeyPairSignerFromBytes, getBase58Encoder, signBytes } from '@solana/kit'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { type Address, isHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type NetworkName, networks } from './networks'

/** One key: it pays, gets paid, and signs a text to identify itself. */
export type Wallet = {
  /** The client for `wrapFetchWithPayment`, which pays a 402. */
  client: x402Client
  /** Signs a text; resolves with `0x` and hex digits. */
  sign: (text: string) => Promise<string>
} & (
  | { account: 'Ethereum'; address: Address; network: 'eip155:84532' | 'eip155:8453'; chainId: number }
  | { account: 'Solana'; address: string; network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'; chainId: string }
)

/**
 * The wallet of a private key: on Base `0x` and 64 hex digits, on Solana base58 as wallets export it. `nodeUrl` is the Solana node for recent
 * blockhashes; if unset, a public one. On Base a payment is a signature and needs no node. Throws for an invalid key.
 */
export async function openWallet(name: NetworkName, key: string, nodeUrl?: string): Promise<Wallet> {
  const network = networks[name]
  if (network.family === 'evm') {
    if (!isHex(key)) throw new Error(`The key of a wallet on ${name} begins with 0x.`)
    const account = privateKeyToAccount(key)
    return {
      account: 'Ethereum',
      address: account.address,
      network: network.id,
      chainId: network.chainId,
      client: new x402Client().register(network.id, new ExactEvmScheme(account)),
      sign: (message) => account.signMessage({ message }),
    }
  }
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(key))
  return {
    account: 'Solana',
    address: signer.address,
    network: network.id,
    chainId: network.chainId,
    client: new x402Client().register(network.id, new ExactSvmScheme(signer, nodeUrl === undefined ? {} : { rpcUrl: nodeUrl })),
    sign: async (text) => toHex(await signBytes(signer.keyPair.privateKey, new TextEncoder().encode(text))),
  }
}
