import type { Hex } from 'viem'
import type { EvmNetworkId } from '../../networks/networks'
import { check } from '../../parse-terms'
import type { Declared } from '../../payment'
import { hex } from '../hex'
import type { ClaimRow } from './channel'
import { channelOf, kindOf, readVouched } from './read'
import type { Vouched } from './transfers'
import { wireAskedRefund, wireClaims, wireRefund, wireSettle } from './wire'

/** A voucher, or the refund that a payer asks for with it. `amount`: what it wants back; null: everything. */
export type VoucherPayload = { type: 'voucher' | 'refund'; amount: bigint | null } & Vouched

/** Claims of vouchers; `signature` of the receivers' authorizer, null where it is kept here. */
export type ClaimPayload = { type: 'claim'; rows: readonly ClaimRow[]; signature: Hex | null }

/** A refund that the merchant's server let through, with the claims that come before it. */
export type RefundPayload = { type: 'enriched refund'; amount: bigint; nonce: bigint; signature: Hex | null } & Vouched & {
    claims: Omit<ClaimPayload, 'type'>
  }

/** What was claimed for a receiver is paid out. */
export type SweepPayload = { type: 'settle'; receiver: Hex; token: Hex }

export type ChannelPayload = VoucherPayload | ClaimPayload | RefundPayload | SweepPayload

/** A request about channels that is no deposit: no payer's authorization moves tokens by it. */
export type ChannelRequest<P extends ChannelPayload = ChannelPayload> = {
  /** Scheme and network as the payload names them. */
  claimed: { scheme: string; network: string }
  scheme: string
  network: EvmNetworkId
  /** The network as the caller wrote it, for responses. */
  spelling: string
  asset: Hex
  payTo: Hex
  extra: Declared['extra']
  payload: P
}

/** The payload of a request about channels; null for a deposit or anything else. Throws `bad_request` with the field. */
export function readChannelPayload(inner: Record<string, unknown>): ChannelPayload | null {
  const place = 'paymentPayload.payload'
  const type = kindOf(inner)
  switch (type) {
    case 'voucher':
      return { type, amount: null, ...readVouched(inner) }
    case 'refund':
      return { type, amount: check(wireAskedRefund, inner, place).amount ?? null, ...readVouched(inner) }
    case 'enriched refund': {
      const { amount, refundNonce, claims, ...signatures } = check(wireRefund, inner, place)
      const { refundAuthorizerSignature: signature, claimAuthorizerSignature: ofClaims } = signatures
      return {
        type,
        amount,
        nonce: refundNonce,
        signature: signatureOf(signature),
        claims: { rows: claims.map(rowOf), signature: signatureOf(ofClaims) },
        ...readVouched(inner),
      }
    }
    case 'claim': {
      const { claims, claimAuthorizerSignature } = check(wireClaims, inner, place)
      return { type, rows: claims.map(rowOf), signature: signatureOf(claimAuthorizerSignature) }
    }
    case 'settle': {
      const { receiver, token } = check(wireSettle, inner, place)
      return { type, receiver: hex(receiver), token: hex(token) }
    }
    default:
      return null
  }
}

type WireRow = ReturnType<typeof wireClaims.parse>['claims'][number]

const rowOf = ({ voucher, signature, totalClaimed }: WireRow): ClaimRow => ({
  channel: channelOf(voucher.channel),
  voucher: { maxClaimable: voucher.maxClaimableAmount, signature: hex(signature) },
  totalClaimed,
})

const signatureOf = (written: string | null | undefined): Hex | null => (written ? hex(written) : null)
