import { type Hex, toHex, zeroAddress } from 'viem'
import { validUntil } from '../../networks/expiry-margin'
import { type EvmNetworkId, isEvmNetwork, networkRow } from '../../networks/networks'
import type { BatchEip3009Payment, BatchPermit2Payment, Payment } from '../../payment'
import type { Reason } from '../../reasons/reasons'
import { voucherSignature } from '../../signatures'
import { domainSeparator, hashStruct, hashText, typedDataHash } from '../evm-hashes'
import type { Cosigned, EvmRule, State, StateRule } from '../evm-method'
import { permitHasher } from '../permit2/hash'
import { sponsoringRules } from '../permit2/sponsoring'
import { type ChannelState, type Voucher, WITHDRAW_DELAY } from './channel'
import { PERMIT2_COLLECTOR } from './contracts'
import { channelIdOf, voucherHash } from './hashes'
import type { VoucherPayload } from './requests'
import { BATCH_SETTLEMENT } from './scheme'
import type { DepositPermit, DepositTerms, UnreadDeposit, Vouched } from './transfers'

const always = (reason: Reason) => () => reason

/** A request about a channel: its requirements, and what the payload says of the channel. */
export type ChannelTerms = Pick<Payment, 'asset' | 'payTo'> & {
  network: EvmNetworkId
  extra: Record<string, unknown> | undefined
  vouched: Vouched
}

/** A rule whose reason is always the same. */
type FixedRule<P, Name extends string = string> = { name: Name; reason: () => Reason; broken: EvmRule<P>['broken'] }

/** The same rule about what it is part of; it holds where there is no such part. */
const about =
  <Whole, Part>(partOf: (whole: Whole) => Part | null) =>
  <Name extends string>({ name, reason, broken }: FixedRule<Part, Name>): FixedRule<Whole, Name> => ({
    name,
    reason,
    broken(whole, clock) {
      const part = partOf(whole)
      return part !== null && broken(part, clock)
    },
  })

type Named = Pick<Payment, 'scheme' | 'claimed' | 'network'>

const scheme = {
  name: 'scheme',
  reason: always('invalid_batch_settlement_evm_scheme'),
  broken: ({ scheme: asked, claimed }) => asked !== BATCH_SETTLEMENT || claimed.scheme !== BATCH_SETTLEMENT,
} as const satisfies EvmRule<Named>

const network = {
  name: 'network',
  reason: always('invalid_batch_settlement_evm_network_mismatch'),
  broken: (payment) => payment.claimed.network !== payment.network,
} as const satisfies EvmRule<Named>

/** The rules of scheme and network, for every payload of the scheme. */
export const namedRules = [scheme, network] as const

const lower = (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : null)

const channelId = {
  name: 'channel_id',
  reason: always('invalid_batch_settlement_evm_channel_id_mismatch'),
  broken: (terms) => channelIdOf(terms.network, terms.vouched.channel) !== lower(terms.vouched.writtenId),
} as const satisfies EvmRule<ChannelTerms>
const receiver = {
  name: 'receiver',
  reason: always('invalid_batch_settlement_evm_receiver_mismatch'),
  broken: ({ vouched, payTo }) => vouched.channel.receiver !== payTo,
} as const satisfies EvmRule<ChannelTerms>
const authorizer = {
  name: 'receiver_authorizer',
  reason: always('invalid_batch_settlement_evm_receiver_authorizer_mismatch'),
  broken({ vouched: { channel }, extra }) {
    const required = lower(extra?.receiverAuthorizer)
    return required === null || required === zeroAddress || channel.receiverAuthorizer !== required
  },
} as const satisfies EvmRule<ChannelTerms>
const token = {
  name: 'channel_token',
  reason: always('invalid_batch_settlement_evm_token_mismatch'),
  broken: ({ vouched, asset }) => vouched.channel.token !== asset,
} as const satisfies EvmRule<ChannelTerms>
const delay = {
  name: 'withdraw_delay',
  reason: always('invalid_batch_settlement_evm_withdraw_delay_mismatch'),
  broken: ({ vouched: { channel }, extra }) =>
    extra?.withdrawDelay !== undefined && channel.withdrawDelay !== Number(extra.withdrawDelay),
} as const satisfies EvmRule<ChannelTerms>
const delayRange = {
  name: 'withdraw_delay_range',
  reason: always('invalid_batch_settlement_evm_withdraw_delay_out_of_range'),
  broken: ({ vouched: { channel } }) =>
    channel.withdrawDelay < WITHDRAW_DELAY.least || channel.withdrawDelay > WITHDRAW_DELAY.most,
} as const satisfies EvmRule<ChannelTerms>

/** The rules of a channel and its requirements, in the official order. */
export const channelRules = [channelId, receiver, authorizer, token, delay, delayRange] as const

/** What the payer, or its authorizer, must have signed for a voucher. A wallet without an authorizer may approve by its code. */
export function cosignedVoucher(
  on: EvmNetworkId,
  { channel: { payer, payerAuthorizer }, voucher }: Pick<Vouched, 'channel' | 'voucher'>,
  id: Hex,
): Cosigned {
  const own = payerAuthorizer === zeroAddress
  return {
    hash: voucherHash(on, id, voucher.maxClaimable),
    // The contract takes one form of it; the other one that official clients might send is rewritten.
    signature: voucherSignature(voucher.signature),
    by: own ? payer : payerAuthorizer,
    wallet: own ? voucher.signature : null,
    reason: 'invalid_batch_settlement_evm_voucher_signature',
  }
}

type Deposit = BatchEip3009Payment | BatchPermit2Payment

/** What a deposit says of its channel. */
export const termsOf = ({ network: on, asset, payTo, declared, transfer }: Deposit): ChannelTerms => ({
  network: on,
  asset,
  payTo,
  extra: declared.extra,
  vouched: transfer.deposit,
})

const ofChannel = about(termsOf)

const form = [
  ...([scheme, network] as const),
  ofChannel(channelId),
  ofChannel(receiver),
  ofChannel(authorizer),
  ofChannel(token),
  ofChannel(delay),
  ofChannel(delayRange),
] as const

const domain = {
  name: 'token_domain',
  reason: always('invalid_batch_settlement_evm_missing_eip712_domain'),
  broken: (payment) => payment.domain === null,
} as const satisfies EvmRule<BatchEip3009Payment>

const times = [
  {
    name: 'valid_before',
    reason: always('invalid_batch_settlement_evm_payload_authorization_valid_before'),
    broken: ({ transfer, network: on }, { latest }) => transfer.authorization.validBefore < validUntil(on, latest),
  },
  {
    name: 'valid_after',
    reason: always('invalid_batch_settlement_evm_payload_authorization_valid_after'),
    broken: ({ transfer }, { earliest }) => transfer.authorization.validAfter > earliest,
  },
] as const satisfies readonly EvmRule<BatchEip3009Payment>[]

const permit = [
  {
    name: 'permit_payer',
    reason: always('invalid_batch_settlement_evm_permit2_invalid_signature'),
    broken: ({ transfer }) => transfer.authorization.from !== transfer.deposit.channel.payer,
  },
  {
    name: 'spender',
    reason: always('invalid_batch_settlement_evm_permit2_invalid_spender'),
    broken: ({ transfer }) => transfer.authorization.spender !== PERMIT2_COLLECTOR,
  },
  {
    name: 'token',
    reason: always('invalid_batch_settlement_evm_token_mismatch'),
    broken: ({ transfer, asset }) => transfer.authorization.token !== asset,
  },
  {
    name: 'amount',
    reason: always('invalid_batch_settlement_evm_permit2_amount_mismatch'),
    broken: ({ transfer }) => transfer.authorization.value !== transfer.deposit.amount,
  },
  {
    name: 'witness',
    reason: always('invalid_batch_settlement_evm_channel_id_mismatch'),
    broken: ({ transfer }) => transfer.authorization.channelId !== lower(transfer.deposit.writtenId),
  },
] as const satisfies readonly EvmRule<BatchPermit2Payment>[]

const deadline = {
  name: 'deadline',
  reason: always('invalid_batch_settlement_evm_permit2_deadline_expired'),
  broken: ({ transfer, network: on }, { latest }) => transfer.authorization.deadline < validUntil(on, latest),
} as const satisfies EvmRule<BatchPermit2Payment>

/** The rules of a deposit before the signature of its transfer, in the official order. */
export const eip3009FormRules: readonly EvmRule<BatchEip3009Payment>[] = [...form, domain, ...times]
export const permit2FormRules: readonly EvmRule<BatchPermit2Payment>[] = [...form, ...permit, deadline]

/** The rules after it: what a payer without an allowance must have sent along. */
export const permit2TermRules: readonly EvmRule<BatchPermit2Payment>[] = [
  ...sponsoringRules,
  {
    name: 'permit_amount',
    reason: always('invalid_batch_settlement_evm_eip2612_amount_mismatch'),
    broken: ({ transfer: { sponsoring, deposit } }) =>
      sponsoring?.kind === 'eip2612' && sponsoring.permit.value !== deposit.amount,
  },
  {
    name: 'approval_sent',
    reason: always('invalid_batch_settlement_evm_erc20_approval_unavailable'),
    broken: ({ transfer }) => transfer.sponsoring?.kind === 'unavailable',
  },
]

/** The rules that time cannot change. */
export const eip3009TimelessRules: readonly EvmRule<BatchEip3009Payment>[] = [...form, domain]
export const permit2TimelessRules: readonly EvmRule<BatchPermit2Payment>[] = [...form, ...permit]

const unread = ({ transfer }: Payment): UnreadDeposit | null => (transfer.kind === 'other' ? (transfer.unread ?? null) : null)

const ofUnread = about((payment: Payment): ChannelTerms | null => {
  const found = unread(payment)
  const { network: on, asset, payTo, declared } = payment
  return found && isEvmNetwork(on) ? { network: on, asset, payTo, extra: declared.extra, vouched: found.deposit } : null
})

/** The rules of a payment that no method can read. */
export const unreadRules: readonly EvmRule<Payment>[] = [
  ...namedRules,
  {
    name: 'payload_type',
    reason: always('invalid_batch_settlement_evm_payload_type'),
    broken: (payment) => payment.transfer.kind === 'other' && unread(payment) === null,
  },
  ...channelRules.map(ofUnread),
  {
    name: 'permit2_authorization',
    // The official facilitator takes a payload that lacks what the requirements ask for as one of another type.
    reason: always('invalid_batch_settlement_evm_payload_type'),
    broken: (payment) => unread(payment)?.lacks === 'permit2',
  },
  {
    name: 'erc3009_authorization',
    reason: always('invalid_batch_settlement_evm_erc3009_authorization_required'),
    broken: (payment) => unread(payment)?.lacks === 'eip3009',
  },
]

const RECEIVE_TYPE = hashText(
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** The EIP-712 hash that the payer signed for a deposit by EIP-3009, under the domain of the requirements. Null without one. */
export function depositHash({ network: on, asset, domain: named, transfer }: BatchEip3009Payment): Hex | null {
  if (!named) return null
  const { from, to, value, validAfter, validBefore, nonce } = transfer.authorization
  const words = [from, to, toHex(value), toHex(validAfter), toHex(validBefore), nonce]
  return typedDataHash(domainSeparator(networkRow(on).chainId, asset, named), hashStruct(RECEIVE_TYPE, words))
}

/** The EIP-712 hash that the payer signed for a deposit by Permit2. */
export const depositPermitHash = permitHasher<DepositPermit>('DepositWitness(bytes32 channelId)', ({ channelId: id }) => [id])

/**
 * Whether a voucher is over more than its channel holds, or a sentence that says why it is not covered although it does: what the payer
 * asked to withdraw may be gone before it is claimed. `more`: what comes into the channel with it.
 */
function isUncovered({ balance, withdrawAmount }: ChannelState, { maxClaimable }: Voucher, more = 0n): boolean | string {
  if (maxClaimable > balance + more) return true
  if (maxClaimable <= balance + more - withdrawAmount) return false
  return `The payer asked to withdraw ${withdrawAmount} of the channel, and the voucher counts on it. The payer must deposit more.`
}

/** The rules about a channel's state that a voucher must keep, or that of a refund, in the official order. */
export const voucherStateRules = [
  {
    name: 'channel_state',
    reason: 'invalid_batch_settlement_evm_rpc_read_failed',
    broken: (_, state) => state === null,
  },
  {
    name: 'channel_open',
    reason: 'invalid_batch_settlement_evm_channel_not_found',
    broken: (_, state) => state?.balance === 0n,
  },
  {
    name: 'voucher_covered',
    reason: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
    broken({ type, voucher }, state) {
      if (state === null) return false
      // What is left goes back to the payer in any case.
      return type === 'refund' ? voucher.maxClaimable > state.balance : isUncovered(state, voucher)
    },
  },
  {
    name: 'voucher_new',
    reason: 'invalid_batch_settlement_evm_cumulative_below_claimed',
    broken({ type, voucher: { maxClaimable } }, state) {
      if (state === null) return false
      return type === 'refund' ? maxClaimable < state.totalClaimed : maxClaimable <= state.totalClaimed
    },
  },
] as const satisfies readonly VoucherStateRule[]

type VoucherStateRule = {
  name: string
  reason: Reason
  /** Whether it is broken, or a sentence that says how. */
  broken(payload: Pick<VoucherPayload, 'type' | 'voucher'>, state: ChannelState | null): boolean | string
}

const isBelow = (deposit: DepositTerms, { channel }: State) =>
  channel !== undefined && channel !== null && deposit.voucher.maxClaimable <= channel.totalClaimed

const isAbove = ({ voucher, amount }: DepositTerms, { channel }: State) =>
  channel !== undefined && channel !== null && isUncovered(channel, voucher, amount)

const stateRulesOf = <P extends Deposit>() =>
  [
    {
      name: 'channel_state',
      reason: 'invalid_batch_settlement_evm_rpc_read_failed',
      broken: (_, { channel, balance }) => !channel || balance === null,
    },
    {
      name: 'balance',
      needs: 'channel_state',
      reason: 'invalid_batch_settlement_evm_insufficient_balance',
      broken: ({ transfer }, { balance }) => balance !== null && balance < transfer.deposit.amount,
    },
    {
      name: 'voucher_covered',
      needs: 'channel_state',
      reason: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
      broken: ({ transfer }, state) => isAbove(transfer.deposit, state),
    },
    {
      name: 'voucher_new',
      needs: 'channel_state',
      reason: 'invalid_batch_settlement_evm_cumulative_below_claimed',
      broken: ({ transfer }, state) => isBelow(transfer.deposit, state),
    },
  ] as const satisfies readonly StateRule<P>[]

/** How a deposit would fail in the newest block, or false. */
function whyFailing({ simulation, used }: State): boolean | string {
  if (simulation.ok) return false
  if (used) return 'The authorization of the deposit was used or cancelled on chain; sign a new one.'
  return simulation.message === '' || `The deposit would fail on chain: ${simulation.message}`
}

/** The rules about the chain's state, in the official order. */
export const eip3009StateRules: readonly StateRule<BatchEip3009Payment>[] = [
  ...stateRulesOf<BatchEip3009Payment>(),
  {
    name: 'simulation',
    reason: 'invalid_batch_settlement_evm_deposit_simulation_failed',
    broken: (_, state) => whyFailing(state),
  },
]

/** Without an allowance it cannot pass yet: what the payer sent along comes first. */
const isShort = ({ transfer }: BatchPermit2Payment, { allowance }: State) =>
  allowance === null || allowance < transfer.deposit.amount

export const permit2StateRules: readonly StateRule<BatchPermit2Payment>[] = [
  {
    name: 'allowance',
    reason: 'invalid_batch_settlement_evm_permit2_allowance_required',
    broken: (payment, state) => payment.transfer.sponsoring === null && isShort(payment, state),
  },
  ...stateRulesOf<BatchPermit2Payment>(),
  {
    name: 'simulation',
    reason: 'invalid_batch_settlement_evm_deposit_simulation_failed',
    broken: (payment, state) =>
      payment.transfer.sponsoring?.kind === 'approval' && isShort(payment, state) ? false : whyFailing(state),
  },
]
