import { type EvmNetworkId, isEvmNetwork, type NetworkId } from './networks'

/** An EIP-3009 authorization. Addresses are lower case; times are Unix seconds. */
export type Authorization = {
  from: `0x${string}`
  to: `0x${string}`
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: `0x${string}`
}

/** What the payer signed. Anything but an EIP-3009 authorization is carried by name only, to be judged "unsupported". */
export type Transfer =
  | { kind: 'eip3009'; authorization: Authorization; signature: `0x${string}`; writtenFrom: string }
  | { kind: 'svm'; transaction: string }
  | { kind: 'permit2' }
  | { kind: 'other' }

/** What the merchant and the client declared besides the money, kept for discovery. Bounded by the body limit. */
export type Declared = {
  description?: string
  mimeType?: string
  maxTimeoutSeconds?: number
  outputSchema?: Record<string, unknown>
  extra?: Record<string, unknown>
  extensions?: Record<string, unknown>
  resourceInfo?: Record<string, unknown>
}

/** One signed payment with the requirements it answers: the only shape known behind the door. */
export type Payment = {
  x402Version: 1 | 2
  scheme: string
  /** Scheme and network that the payload names for itself; judged against the requirements. */
  claimed: { scheme: string; network: string }
  network: NetworkId
  /** The network as this caller writes it, echoed in answers. */
  spelling: string
  amount: bigint
  asset: string
  payTo: string
  resource: string
  domain: { name: string; version: string } | null
  transfer: Transfer
  declared: Declared
}

/** A payment that carries an EIP-3009 authorization: an EVM network, hence hex addresses. */
export type Eip3009Payment = Omit<Payment, 'network' | 'asset' | 'payTo' | 'transfer'> & {
  network: EvmNetworkId
  asset: `0x${string}`
  payTo: `0x${string}`
  transfer: Extract<Transfer, { kind: 'eip3009' }>
}

/** Whether the payment carries an EIP-3009 authorization. parsePayment has read its addresses as hex. */
export function isEip3009(payment: Payment): payment is Eip3009Payment {
  return payment.transfer.kind === 'eip3009' && isEvmNetwork(payment.network)
}

/** The payer as the caller wrote it, before anything is proven: for answers only. */
export function claimedPayer(payment: Payment): string {
  return payment.transfer.kind === 'eip3009' ? payment.transfer.writtenFrom : ''
}
