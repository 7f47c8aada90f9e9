import type { z } from 'zod'
import type { EvmNetworkId } from '../../networks/networks'
import { check } from '../../parse-terms'
import type { Transfer } from '../../payment'
import type { WirePayload } from '../../wire'
import { hex } from '../hex'
import { readSponsoring } from '../permit2/sponsoring'
import type { ChannelConfig } from './channel'
import { BATCH_SETTLEMENT_CONTRACT, ERC3009_COLLECTOR } from './contracts'
import { channelIdOf, depositNonce } from './hashes'
import type { DepositTerms, Vouched } from './transfers'
import { type wireChannel, wireDeposit, type wireDepositPermit2, type wireErc3009, wireVouched } from './wire'

type Inner = Record<string, unknown>

const isObject = (value: unknown): value is Inner => typeof value === 'object' && value !== null

const hasVoucher = ({ channelConfig, voucher }: Inner) =>
  channelConfig !== undefined &&
  isObject(voucher) &&
  'channelId' in voucher &&
  'maxClaimableAmount' in voucher &&
  'signature' in voucher

/**
 * What a payload of this scheme is, by the parts that the official facilitator looks for. `refund`: one that its payer asks for;
 * `enriched refund`: one that a merchant's server let through. Null: nothing that it reads.
 */
export function kindOf(inner: Inner): 'deposit' | 'voucher' | 'refund' | 'enriched refund' | 'claim' | 'settle' | null {
  const { type, deposit } = inner
  if (type === 'claim') return 'claims' in inner ? 'claim' : null
  if (type === 'settle') return 'receiver' in inner && 'token' in inner ? 'settle' : null
  if (!hasVoucher(inner)) return null
  if (type === 'deposit')
    return isObject(deposit) && typeof deposit.amount === 'string' && isObject(deposit.authorization) ? 'deposit' : null
  if (type === 'refund') return 'amount' in inner && 'refundNonce' in inner && 'claims' in inner ? 'enriched refund' : 'refund'
  return type === 'voucher' ? 'voucher' : null
}

/** A channel as the wire has it. */
export function channelOf({ withdrawDelay, ...written }: z.output<typeof wireChannel>): ChannelConfig {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, salt } = written
  return {
    payer: hex(payer),
    payerAuthorizer: hex(payerAuthorizer),
    receiver: hex(receiver),
    receiverAuthorizer: hex(receiverAuthorizer),
    token: hex(token),
    withdrawDelay,
    salt: hex(salt),
  }
}

/** The channel and the voucher of a payload. Throws `bad_request` with the field. */
export function readVouched(inner: Inner): Vouched {
  const { channelConfig, voucher } = check(wireVouched, inner, 'paymentPayload.payload')
  const { channelId, maxClaimableAmount, signature } = voucher
  return {
    channel: channelOf(channelConfig),
    writtenId: channelId,
    voucher: { maxClaimable: maxClaimableAmount, signature: hex(signature) },
  }
}

/** What a wallet signed for a deposit; null if the payload is none. Throws `bad_request` with the field. */
export function readDeposit(
  inner: Inner,
  extensions: WirePayload['extensions'],
  { network, extra }: { network: EvmNetworkId; extra: Inner | null | undefined },
): Transfer | null {
  if (kindOf(inner) !== 'deposit') return null
  const { amount, authorization } = check(wireDeposit, inner.deposit, 'paymentPayload.payload.deposit')
  const deposit: DepositTerms = { ...readVouched(inner), amount }
  const written = Object(inner.channelConfig).payer
  const { erc3009Authorization: byToken, permit2Authorization: byPermit2 } = authorization
  const hint = extra?.assetTransferMethod
  const usesPermit2 = hint ? hint === 'permit2' : Boolean(byPermit2)
  if (usesPermit2 && byPermit2) return { ...permitOf(deposit, byPermit2, written), sponsoring: readSponsoring(extensions) }
  if (!usesPermit2 && byToken) return authorizationOf(network, deposit, byToken, written)
  return { kind: 'other', payload: null, unread: { deposit, lacks: usesPermit2 ? 'permit2' : 'eip3009' } }
}

function authorizationOf(
  network: EvmNetworkId,
  deposit: DepositTerms,
  { validAfter, validBefore, salt: writtenSalt, signature }: z.output<typeof wireErc3009>,
  writtenFrom: string,
) {
  const salt = BigInt(writtenSalt)
  const { channel, amount } = deposit
  const nonce = depositNonce(channelIdOf(network, channel), salt)
  const parties = { from: channel.payer, to: ERC3009_COLLECTOR } as const
  return {
    kind: 'batch-eip3009',
    writtenFrom,
    signature: hex(signature),
    authorization: { ...parties, value: amount, validAfter, validBefore, nonce, salt },
    deposit,
  } as const
}

function permitOf(
  deposit: DepositTerms,
  { from, permitted, spender, nonce, deadline, witness, signature }: z.output<typeof wireDepositPermit2>,
  writtenFrom: string,
) {
  return {
    kind: 'batch-permit2',
    writtenFrom,
    signature: hex(signature),
    authorization: {
      from: hex(from),
      to: BATCH_SETTLEMENT_CONTRACT,
      token: hex(permitted.token),
      spender: hex(spender),
      value: permitted.amount,
      nonce,
      deadline,
      validAfter: 0n,
      channelId: hex(witness.channelId),
    },
    deposit,
  } as const
}
