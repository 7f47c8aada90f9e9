import type { Address } from 'viem'
import { z } from 'zod'
import { type EvmNetworkId, isEvmNetwork, isNetworkId, type SvmNetworkId } from '@/server/x402/networks/networks'

const address = z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
const base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)

const common = {
  scheme: z.literal('exact'),
  amount: z.string().regex(/^\d{1,78}$/),
  maxTimeoutSeconds: z.int().positive(),
}

const evm = z.looseObject({
  ...common,
  network: z.custom<EvmNetworkId>((value) => typeof value === 'string' && isNetworkId(value) && isEvmNetwork(value)),
  asset: address,
  payTo: address,
  extra: z.looseObject({ name: z.string(), version: z.string() }),
})

const svm = z.looseObject({
  ...common,
  network: z.custom<SvmNetworkId>((value) => typeof value === 'string' && isNetworkId(value) && !isEvmNetwork(value)),
  asset: base58,
  payTo: base58,
  extra: z.looseObject({ feePayer: base58, memo: z.string().optional() }),
})

/** Terms that an Ethereum wallet can pay, amounts in atomic units. Keeps unknown fields, which go back to the server. */
export type EvmTerms = z.output<typeof evm>

/** Terms that a Solana wallet can pay; the service's fee payer signs after the wallet. */
export type SvmTerms = z.output<typeof svm>

export type Terms = EvmTerms | SvmTerms

/** Whether an Ethereum wallet pays these terms. */
export function isEvmTerms(terms: Terms): terms is EvmTerms {
  return isEvmNetwork(terms.network)
}

/** Whether a Solana wallet pays these terms. */
export function isSvmTerms(terms: Terms): terms is SvmTerms {
  return !isEvmNetwork(terms.network)
}

/** The content of a PAYMENT-REQUIRED header. */
export type Required = { resource: unknown; accepts: Terms[] }

const terms = z.union([evm, svm])
const required = z.object({ x402Version: z.literal(2), resource: z.unknown(), accepts: z.array(z.unknown()) })

/** Parses the header and drops terms that no wallet here can pay. Throws if it is invalid. */
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

/** The JSON in an x402 header. Throws if it is invalid. */
export function decodedHeader(header: string): unknown {
  const bytes = Uint8Array.from(atob(header), (letter) => letter.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** A signed payload as a version 2 PAYMENT-SIGNATURE header. */
export function paymentHeader(resource: unknown, accepted: Terms, payload: Record<string, unknown>): string {
  return base64(new TextEncoder().encode(JSON.stringify({ x402Version: 2, resource, accepted, payload })))
}

/** Bytes in standard base64. */
export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
