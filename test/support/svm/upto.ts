import { type KeyPairSigner, signBytes } from '@solana/kit'
import { UptoSvmScheme as OfficialClient } from '@x402/svm/upto/client'

/** The parties of a payment that signs a maximum on Solana, and where the official client finds the chain. */
export type UptoParties = {
  payer: KeyPairSigner
  payTo: string
  feePayer: string
  authorizer: string
  network: `${string}:${string}`
  asset: string
  /** Without it the requirements must name a blockhash and a slot. */
  rpcUrl?: string
}

export const UPTO_MAXIMUM = 100_000n

/** The requirements as official servers write them. */
export function uptoRequirements({ payTo, feePayer, authorizer, network, asset }: UptoParties, extra: object = {}) {
  return {
    scheme: 'upto',
    network,
    amount: String(UPTO_MAXIMUM),
    asset,
    payTo,
    maxTimeoutSeconds: 300,
    extra: {
      feePayer,
      receiverAuthorizer: authorizer,
      withdrawDelay: 900,
      tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      ...extra,
    },
  }
}

type Requirements = ReturnType<typeof uptoRequirements>

/** A signed payment of the official client: its payload, and the bodies of both settle requests. */
export async function uptoPayment(parties: UptoParties, requirements: Requirements = uptoRequirements(parties)) {
  const { payer, rpcUrl } = parties
  const client = new OfficialClient(payer, rpcUrl === undefined ? {} : { rpcUrl })
  const { payload } = await client.createPaymentPayload(2, requirements)
  const body = (change: object = {}, asked: object = {}) => ({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { ...payload, ...change },
      accepted: requirements,
      resource: { url: 'https://merchant.example/tokens', description: 'tokens', mimeType: 'application/json' },
    },
    paymentRequirements: { ...requirements, ...asked },
  })
  return {
    payload,
    requirements,
    channelId: String(payload.channelId),
    body,
    depositing: body({ type: 'deposit' }),
    charging: (amount: bigint) => body({ type: 'claim' }, { amount: String(amount) }),
  }
}

const SIGNATURES_END = 1 + 2 * 64

/** The open transaction of the official client with another limit of compute units, signed again by its payer. */
export async function withUnitLimit({ keyPair }: KeyPairSigner, openTransaction: string, units: number): Promise<string> {
  const bytes = Buffer.from(openTransaction, 'base64')
  // The client's limit of 90,000.
  const at = bytes.indexOf(Buffer.from('02905f0100', 'hex'), SIGNATURES_END)
  if (at < 0) throw new Error('the transaction has another limit')
  bytes.writeUInt32LE(units, at + 1)
  bytes.set(await signBytes(keyPair.privateKey, bytes.subarray(SIGNATURES_END)), SIGNATURES_END - 64)
  return bytes.toString('base64')
}
