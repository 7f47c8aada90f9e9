import { type Address, bytesToHex, type Hex } from 'viem'
import { networkRow } from '@/server/x402/networks/networks'
import type { EvmTerms } from './terms'

const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The EIP-712 data of an EIP-3009 transfer. */
export type Transfer = ReturnType<typeof transferFor>

/** Allows for clocks that run up to ten minutes late. */
const CLOCK_SKEW_SECONDS = 600

/** The transfer that pays these terms, valid for `maxTimeoutSeconds`. */
export function transferFor(
  { network, amount, asset, payTo, maxTimeoutSeconds, extra }: EvmTerms,
  from: Address,
  { now = new Date(), nonce = newNonce() }: { now?: Date; nonce?: Hex } = {},
) {
  const seconds = BigInt(Math.floor(now.getTime() / 1_000))
  return {
    domain: { name: extra.name, version: extra.version, chainId: networkRow(network).chainId, verifyingContract: asset },
    types: { TransferWithAuthorization: fields },
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to: payTo,
      value: BigInt(amount),
      validAfter: seconds - BigInt(CLOCK_SKEW_SECONDS),
      validBefore: seconds + BigInt(maxTimeoutSeconds),
      nonce,
    },
  } as const
}

const newNonce = (): Hex => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))

/** A signed transfer as the payload of a payment. */
export function transferPayload({ message }: Transfer, signature: string) {
  return { signature, authorization: Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)])) }
}
