import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { clusters } from './solana/clusters'
import { signerOf } from './solana/keys'

export type Receipt = ReturnType<typeof decodePaymentResponseHeader>
export type PaidAnswer = {
  status: number
  body: unknown
  /** What the client signed for, in atomic units; absent when nothing had to be paid. */
  amount: bigint | undefined
  /** Whom; absent likewise. */
  payTo: string | undefined
  /** Why the merchant asks for payment again, when it does. */
  problem: string | undefined
  /** Absent when the answer carries no PAYMENT-RESPONSE. */
  receipt: Receipt | undefined
  milliseconds: number
}
export type Payer = { address: Address; pay: (url: string) => Promise<PaidAnswer> }

/** A key on Solana, and the nodes to ask for a blockhash, by network: the official client knows the public ones only. */
export type SolanaWallet = { secretKey: string; nodes: Record<string, string> }

/** A payer as anybody would write one: the official client with a private key, and with a second one on Solana. */
export function createPayer(privateKey: Hex, solana?: SolanaWallet): Payer {
  const account = privateKeyToAccount(privateKey)
  const pay = async (url: string): Promise<PaidAnswer> => {
    let amount: bigint | undefined
    let payTo: string | undefined
    const client = registerExactEvmScheme(new x402Client(), { signer: account })
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
  return { address: account.address, pay }
}

async function registerSolana(client: x402Client, { secretKey, nodes }: SolanaWallet): Promise<void> {
  const signer = await signerOf(secretKey)
  for (const { network } of Object.values(clusters)) {
    const rpcUrl = nodes[network]
    if (rpcUrl !== undefined) client.register(network, new ExactSvmScheme(signer, { rpcUrl }))
  }
}

// The challenge repeats what the facilitator said of the payment before.
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
