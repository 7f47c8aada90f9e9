import { type ClientEvmSigner, toClientEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
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
  /** The amount that the client signed, in atomic units; undefined without a payment. */
  amount: bigint | undefined
  /** The payee that the client signed; undefined without a payment. */
  payTo: string | undefined
  /** The merchant's reason for a second 402. */
  problem: string | undefined
  /** Undefined without a PAYMENT-RESPONSE header. */
  receipt: Receipt | undefined
  milliseconds: number
}
export type Payer = { address: Address; pay: (url: string) => Promise<PaidAnswer> }

/** A secret key on Solana, and the nodes for blockhashes, by network: the official client knows only public ones. */
export type SolanaWallet = {
  secretKey: string
  nodes: Record<string, string>
  /** Tokens to pay in beside those that the official client pays in by default. */
  assets?: { network: (typeof clusters)[ClusterName]['network']; asset: string }[]
}

/** A payer as any payer would write it: the official client with a private key, and a second key on Solana. `reads`: where it reads nonces of permits. */
export function createPayer(privateKey: Hex, solana?: SolanaWallet, reads?: ChainClient): Payer {
  const account = privateKeyToAccount(privateKey)
  return payingWith(reads ? toClientEvmSigner(asSigner(account), reads) : account, solana)
}

/** The same with another wallet on EVM networks. */
export function payingWith(signer: ClientEvmSigner, solana?: SolanaWallet): Payer {
  const pay = async (url: string): Promise<PaidAnswer> => {
    let amount: bigint | undefined
    let payTo: string | undefined
    const usual = x402Client.fromConfig({ schemes: [], spendControls: { allowedAssets: solana?.assets ?? [] } })
    const client = registerExactEvmScheme(usual, { signer })
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
  return { address: signer.address, pay }
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
