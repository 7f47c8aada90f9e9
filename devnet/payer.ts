import { toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainClient } from './client'
import { type ClusterName, clusters } from './solana/clusters'
import { signerOf } from './solana/keys'

export type Receipt = ReturnType<typeof decodePaymentResponseHeader>
export type PaidAnswer = {
  status: number
  body: unknown
  /** The amount that the client signed, by `upto` the maximum, in atomic units; undefined without a payment. */
  amount: bigint | undefined
  /** The payee that the client signed; undefined without a payment. */
  payTo: string | undefined
  /** The merchant's reason for a second 402. */
  problem: string | undefined
  /** Undefined without a PAYMENT-RESPONSE header. */
  receipt: Receipt | undefined
  milliseconds: number
}
export type Payer = {
  address: Address
  pay: (url: string) => Promise<PaidAnswer>
  /** Takes back what is left in the channel of a route. Returns the transaction. */
  refund: (url: string) => Promise<string>
}

/** A secret key on Solana, and the nodes for blockhashes, by network: the official client knows only public ones. */
export type SolanaWallet = {
  secretKey: string
  nodes: Record<string, string>
  /** Tokens to pay in beside those that the official client pays in by default. */
  assets?: { network: (typeof clusters)[ClusterName]['network']; asset: string }[]
}

type Assets = readonly { network: `${string}:${string}`; asset: string }[]

/** What signs for a wallet on EVM networks, as the official client calls it. */
export type EvmSigner = Parameters<typeof registerExactEvmScheme>[1]['signer']

/** A key that signs and reads the chain: the official client reads the nonces of permits. */
export const keyOn = (chain: ChainClient, privateKey: Hex): EvmSigner =>
  toClientEvmSigner(asSigner(privateKeyToAccount(privateKey)), chain)

/**
 * A payer as any payer would write it: the official client with a private key or a wallet, and a second key on Solana. `assets`: tokens to
 * pay in besides the default ones of the official client.
 */
export function createPayer(wallet: Hex | EvmSigner, solana?: SolanaWallet, assets: Assets = []): Payer {
  const account = typeof wallet === 'string' ? privateKeyToAccount(wallet) : wallet
  // It knows the channels that it opened.
  const channels = new BatchSettlementEvmScheme(account, { depositPolicy: { depositMultiplier: 100 } })
  const pay = async (url: string): Promise<PaidAnswer> => {
    let amount: bigint | undefined
    let payTo: string | undefined
    const allowedAssets = [...assets, ...(solana?.assets ?? [])]
    const usual = x402Client.fromConfig({ schemes: [], spendControls: { allowedAssets } })
    const client = registerExactEvmScheme(usual, { signer: account })
      .register('eip155:*', new UptoEvmScheme(account))
      .register('eip155:*', channels)
    if (solana) await registerSolana(client, solana)
    client.onAfterPaymentCreation(async ({ selectedRequirements }) => {
      amount = BigInt(selectedRequirements.amount)
      payTo = selectedRequirements.payTo
    })
    const started = performance.now()
    const response = await wrapFetchWithPayment(fetch, client)(url)
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - started)
    const header = response.headers.get('PAYMENT-RESPONSE')
    const receipt = header === null ? undefined : decodePaymentResponseHeader(header)
    const paid = { amount, payTo, receipt, problem: problemOf(response) }
    return { status: response.status, body: parsed(text), ...paid, milliseconds }
  }
  return { address: account.address, pay, refund: async (url) => (await channels.refund(url)).transaction }
}

async function registerSolana(client: x402Client, { secretKey, nodes }: SolanaWallet): Promise<void> {
  const signer = await signerOf(secretKey)
  for (const { network } of Object.values(clusters)) {
    const rpcUrl = nodes[network]
    if (rpcUrl !== undefined) client.register(network, new ExactSvmScheme(signer, { rpcUrl }))
  }
}

// The official type of a signer names the fields of typed data less exactly than viem's account.
const asSigner = (account: ReturnType<typeof privateKeyToAccount>) =>
  account as unknown as Parameters<typeof toClientEvmSigner>[0]

// The second 402 has the facilitator's reason.
function problemOf(response: Response): string | undefined {
  const challenge = response.headers.get('PAYMENT-REQUIRED')
  const decoded = challenge === null ? undefined : parsed(Buffer.from(challenge, 'base64').toString())
  const error: unknown = typeof decoded === 'object' && decoded !== null ? Reflect.get(decoded, 'error') : undefined
  return typeof error === 'string' ? error : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
