import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { type EvmNetworkId, isEvmNetwork, isNetworkId, networks } from '@/server/x402/networks'

const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))

const terms = z.looseObject({
  scheme: z.literal('exact'),
  network: z.custom<EvmNetworkId>((value) => typeof value === 'string' && isNetworkId(value) && isEvmNetwork(value)),
  amount: z.string().regex(/^\d{1,78}$/),
  asset: address,
  payTo: address,
  maxTimeoutSeconds: z.int().positive(),
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})

/** Terms that an Ethereum wallet can pay; amounts are digits of atomic units. All that was offered is in it, and is sent back. */
export type Terms = z.output<typeof terms>

/** What a 402 asks for, as its PAYMENT-REQUIRED header says (PROTOCOL §2.1). */
export type Required = { resource: unknown; accepts: Terms[] }

const required = z.object({ x402Version: z.literal(2), resource: z.unknown(), accepts: z.array(z.unknown()) })

/** Reads the header; terms of other networks are left out. Throws for what is not one. */
export function readRequired(header: string): Required {
  const { resource, accepts } = required.parse(decodedHeader(header))
  return {
    resource,
    accepts: accepts.flatMap((offered) => {
      const read = terms.safeParse(offered)
      return read.success ? [read.data] : []
    }),
  }
}

/** The JSON in a header of x402. Throws for what is none. */
export function decodedHeader(header: string): unknown {
  const bytes = Uint8Array.from(atob(header), (letter) => letter.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** EIP-712 data of an EIP-3009 transfer, as wallets show and sign it. */
export type Transfer = ReturnType<typeof transferFor>

/** Clocks differ; what is valid from ten minutes ago is valid everywhere now. */
const SLACK_SECONDS = 600

/** The transfer that pays these terms from a wallet: good for as long as the terms say. */
export function transferFor(
  { network, amount, asset, payTo, maxTimeoutSeconds, extra }: Terms,
  from: Address,
  { now = new Date(), nonce = newNonce() }: { now?: Date; nonce?: Hex } = {},
) {
  const seconds = BigInt(Math.floor(now.getTime() / 1_000))
  return {
    domain: { name: extra.name, version: extra.version, chainId: networks[network].chainId, verifyingContract: asset },
    types: { TransferWithAuthorization: fields },
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to: payTo,
      value: BigInt(amount),
      validAfter: seconds - BigInt(SLACK_SECONDS),
      validBefore: seconds + BigInt(maxTimeoutSeconds),
      nonce,
    },
  } as const
}

function newNonce(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A signed transfer as the PAYMENT-SIGNATURE header of version 2 (PROTOCOL §2.2, §3.1). */
export function paymentHeader(resource: unknown, accepted: Terms, { message }: Transfer, signature: string): string {
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]))
  return base64(JSON.stringify({ x402Version: 2, resource, accepted, payload: { signature, authorization } }))
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
