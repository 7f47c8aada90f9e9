import { bytes32 } from '../../../encodings'
import { assetOn, isEvmNetwork } from '../../../networks/networks'
import type { Payment } from '../../../payment'
import { type Failure, failure, type Reason } from '../../../reasons/reasons'
import { TOKEN_PROGRAMS } from '../../exact/svm/programs'
import type { SvmTransaction } from '../../exact/svm/transaction'
import { readOpen } from './open'
import { readU64 } from './read'
import type { UptoChannel, UptoService, UptoSvmTransfer } from './transfers'

/** What is accepted here beside the payment. */
type UptoSvmRules = {
  feePayers: ReadonlySet<string>
  ours: ReadonlySet<string>
  maxFeeLamports: bigint
}

/** A payment of this scheme on Solana whose form could be read. */
export type UptoSvmRead = Omit<Payment, 'transfer'> & { transfer: UptoSvmTransfer<SvmTransaction | null> }

/** A payment that is served to its caller. */
type Served = { payment: UptoSvmRead; transfer: UptoSvmRead['transfer']; service: UptoService; rules: UptoSvmRules }

/** One rule: `broken` returns whether it is, or a sentence that says how. */
type UptoRule = { name: string; reason: Reason; broken: (of: Served) => boolean | string }

const LIFETIME_SECONDS = 3_600n
const SKEW_SECONDS = 60n

const textIn = ({ declared }: UptoSvmRead, name: string): string => {
  const value = declared.extra?.[name]
  return typeof value === 'string' ? value : ''
}
const feePayerOf = (payment: UptoSvmRead) => textIn(payment, 'feePayer')
const authorizerOf = (payment: UptoSvmRead) => textIn(payment, 'receiverAuthorizer')

/** A payer who may take its money back sooner could do so before the charge; one who waits longer keeps our rent. */
const DELAY_SECONDS = { least: 900, most: 30 * 86_400 } as const

const isDelay = (delay: unknown) =>
  typeof delay === 'number' && Number.isInteger(delay) && delay >= DELAY_SECONDS.least && delay <= DELAY_SECONDS.most

/** The delay before a payer may take its money back, seconds; 0 where the requirements name none. */
function withdrawDelayOf({ declared }: Pick<Payment, 'declared'>): number {
  const delay = declared.extra?.withdrawDelay
  return typeof delay === 'number' && isDelay(delay) ? delay : 0
}

/** The token program of the asset, if the requirements allow it. */
function tokenProgramOf(payment: UptoSvmRead): string | null {
  const asset = isEvmNetwork(payment.network) ? null : assetOn(payment.network, payment.asset)
  const hint = payment.declared.extra?.tokenProgram
  if (!asset || (hint !== undefined && hint !== null && hint !== '' && hint !== asset.program)) return null
  return TOKEN_PROGRAMS.has(asset.program) ? asset.program : null
}

/** The slot that the requirements name: null for none, undefined for one that cannot be read. */
function recentSlotOf({ declared }: UptoSvmRead): bigint | null | undefined {
  const slot = declared.extra?.recentSlot
  if (slot === undefined || slot === null) return null
  return readU64(typeof slot === 'number' ? String(slot) : slot) ?? undefined
}

function memoOf(payment: UptoSvmRead): string | null {
  return textIn(payment, 'memo') || null
}

const hasConfiguration = (payment: UptoSvmRead) =>
  feePayerOf(payment) !== '' && authorizerOf(payment) !== '' && isDelay(payment.declared.extra?.withdrawDelay)

const REQUIREMENTS = 'invalid_upto_svm_payment_requirements'

const networkRule: UptoRule = {
  name: 'network',
  reason: 'network_mismatch',
  broken: ({ payment }) => payment.claimed.network !== payment.network,
}

/** Which step a settle request asks for. */
const dispatchRules: readonly UptoRule[] = [
  networkRule,
  { name: 'maximum_read', reason: 'invalid_upto_svm_payload_amount', broken: ({ transfer }) => transfer.maximum === null },
  {
    name: 'charge',
    reason: 'invalid_upto_svm_payload_settlement_exceeds_amount',
    broken: ({ payment, transfer }) => (payment.charge ?? payment.amount) > (transfer.maximum ?? 0n),
  },
  { name: 'type', reason: 'invalid_upto_svm_payload_type', broken: ({ transfer }) => transfer.type === null },
]

const timeRules: readonly UptoRule[] = [
  {
    name: 'active',
    reason: 'invalid_upto_svm_payload_not_yet_active',
    broken: ({ transfer, service }) => service.now < transfer.validAfter,
  },
  {
    name: 'expiry',
    reason: 'invalid_upto_svm_payload_expired',
    broken: ({ transfer, service }) => service.now >= transfer.expiresAt,
  },
]

const configurationRule: UptoRule = {
  name: 'configuration',
  reason: REQUIREMENTS,
  broken: ({ payment }) =>
    !hasConfiguration(payment) &&
    'extra must carry feePayer, receiverAuthorizer and a withdrawDelay of 900 seconds to 30 days; copy the requirements.',
}

const feePayerRule: UptoRule = {
  name: 'fee_payer_served',
  reason: 'facilitator_mismatch',
  broken: ({ payment, rules }) => !rules.feePayers.has(feePayerOf(payment)),
}

const authorizerRule: UptoRule = {
  name: 'authorizer',
  reason: 'invalid_upto_svm_payload_receiver_authorizer',
  broken: ({ payment, transfer }) => transfer.authorizer !== authorizerOf(payment),
}

// Another key could take the deposit before its merchant does, and neither could charge it.
const ownAuthorizerRule: UptoRule = {
  name: 'own_authorizer',
  reason: 'invalid_upto_svm_payload_receiver_authorizer',
  broken: ({ service }) =>
    !service.isOurs && 'extra.receiverAuthorizer is not the one that /supported names for this key; copy it from there.',
}

/** The rules of a payment before it opens a channel, in the official order. */
const openRules: readonly UptoRule[] = [
  {
    name: 'no_voucher',
    reason: 'invalid_upto_svm_payload_unexpected_voucher',
    broken: ({ transfer }) => transfer.voucher !== null,
  },
  {
    name: 'no_type',
    reason: 'invalid_upto_svm_payload_type',
    broken: ({ transfer }) => transfer.step === 'verify' && transfer.type !== null,
  },
  configurationRule,
  feePayerRule,
  authorizerRule,
  ownAuthorizerRule,
  {
    name: 'amounts',
    reason: 'invalid_upto_svm_payload_amount',
    broken: ({ transfer }) => transfer.maximum === null || transfer.deposited === null,
  },
  {
    name: 'amount',
    reason: 'invalid_upto_svm_payload_amount_mismatch',
    broken: ({ payment, transfer }) => transfer.maximum !== payment.amount,
  },
  {
    name: 'deposit',
    reason: 'invalid_upto_svm_payload_deposit_not_ceiling',
    broken: ({ transfer }) => transfer.deposited !== transfer.maximum,
  },
  {
    name: 'seeds',
    reason: 'invalid_upto_svm_payload_channel_seed',
    broken: ({ payment, transfer }) =>
      transfer.openSlot === null || transfer.nonce === null || recentSlotOf(payment) === undefined,
  },
  ...timeRules,
  {
    name: 'timeout',
    reason: REQUIREMENTS,
    broken: ({ payment }) => timeoutOf(payment) === null && 'maxTimeoutSeconds must be a whole number of seconds, at least 1.',
  },
  {
    name: 'lifetime',
    reason: 'invalid_upto_svm_payload_channel_lifetime_exceeded',
    broken: ({ payment, transfer, service }) =>
      (timeoutOf(payment) ?? 0n) > LIFETIME_SECONDS || transfer.expiresAt > service.now + LIFETIME_SECONDS + SKEW_SECONDS,
  },
  {
    name: 'expires_at',
    reason: 'invalid_upto_svm_payload_expires_at_mismatch',
    broken: ({ payment, transfer, service }) => transfer.expiresAt > service.now + (timeoutOf(payment) ?? 0n) + SKEW_SECONDS,
  },
  {
    name: 'payer_address',
    reason: 'invalid_upto_svm_payload_payer_mismatch',
    broken: ({ transfer }) => bytes32(transfer.payer) === null,
  },
  {
    name: 'authorizer_address',
    reason: REQUIREMENTS,
    broken: ({ payment }) => bytes32(authorizerOf(payment)) === null && 'extra.receiverAuthorizer is not an address.',
  },
  {
    name: 'token_program',
    reason: REQUIREMENTS,
    broken: ({ payment }) => tokenProgramOf(payment) === null && 'extra.tokenProgram is not the program of the asset.',
  },
]

function timeoutOf({ declared }: UptoSvmRead): bigint | null {
  const seconds = declared.maxTimeoutSeconds
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds >= 1 ? BigInt(seconds) : null
}

function openOf({ payment, transfer, rules }: Served): ReturnType<typeof readOpen> {
  const { transaction, maximum, openSlot } = transfer
  const tokenProgram = tokenProgramOf(payment)
  const recentSlot = recentSlotOf(payment) ?? null
  if (!transaction || maximum === null || openSlot === null || tokenProgram === null || isEvmNetwork(payment.network))
    return { fault: 'it is not base64 of a version 0 Solana transaction of at most 1232 bytes' }
  return readOpen(transaction, {
    network: payment.network,
    payer: transfer.payer,
    payTo: payment.payTo,
    asset: payment.asset,
    tokenProgram,
    feePayer: feePayerOf(payment),
    authorizer: transfer.authorizer,
    maximum,
    withdrawDelay: withdrawDelayOf(payment),
    openSlot,
    recentSlot,
    memo: memoOf(payment),
    ours: rules.ours,
    maxFeeLamports: rules.maxFeeLamports,
  })
}

/** What is wrong with the transaction of a payment that keeps all other rules, in the official order. */
function brokenOpening(of: Served): Failure | null {
  const { channelId, nonce, payer } = of.transfer
  const open = openOf(of)
  if ('fault' in open)
    return failure('invalid_upto_svm_payload_open_transaction', `The open transaction is not taken: ${open.fault}.`)
  if (open.opened.id !== channelId) return failure('invalid_upto_svm_payload_channel_id')
  if (open.opened.nonce !== nonce) return failure('invalid_upto_svm_payload_nonce')
  return open.opened.payer === payer ? null : failure('invalid_upto_svm_payload_payer_mismatch')
}

/** The rules of a claim without a look at the chain, in the official order. What the deposit said decides, not what the claim says. */
const claimRules: readonly UptoRule[] = [
  {
    name: 'authorizer_kept',
    reason: 'invalid_upto_svm_authorizer_address_mismatch',
    broken: ({ payment, transfer, service }) => !service.isOurs || transfer.authorizer !== authorizerOf(payment),
  },
  {
    name: 'depositor',
    reason: 'invalid_upto_svm_delegated_settle_unauthenticated',
    broken: ({ service }) => service.channel === null,
  },
  configurationRule,
  authorizerRule,
  feePayerRule,
  ...timeRules,
  {
    name: 'voucher',
    reason: 'invalid_upto_svm_payload_voucher_signature',
    broken: ({ transfer }) => transfer.voucher !== null && 'Charges are signed here: a claim carries no voucherSignature.',
  },
  {
    name: 'channel',
    reason: 'invalid_upto_svm_channel_state',
    broken: ({ payment, transfer, service: { channel } }) =>
      channel !== null &&
      otherTerms(payment, transfer, channel) &&
      'The claim names other terms than the deposit of its channel.',
  },
]

function otherTerms(payment: UptoSvmRead, transfer: UptoSvmRead['transfer'], channel: UptoChannel): boolean {
  return (
    channel.payTo !== payment.payTo ||
    channel.asset !== payment.asset ||
    channel.payer !== transfer.payer ||
    channel.authorizer !== transfer.authorizer ||
    channel.feePayer !== feePayerOf(payment) ||
    channel.maximum !== transfer.maximum ||
    channel.withdrawDelay !== withdrawDelayOf(payment) ||
    channel.expiresAt !== transfer.expiresAt
  )
}

/** The rules of a step, in their order. */
function rulesFor({ step }: UptoSvmRead['transfer']): readonly UptoRule[] {
  if (step === 'verify') return [networkRule, ...openRules]
  return [...dispatchRules, ...(step === 'claim' ? claimRules : openRules)]
}

/** Whether a payment is of this scheme on Solana, and its payload could be read. */
export function isUptoSvm(payment: Payment): payment is UptoSvmRead {
  return payment.transfer.kind === 'svm-upto'
}

/** The channel that a payment opens whose rules hold. */
export function channelIn(payment: Payment): UptoChannel {
  const tokenProgram = isUptoSvm(payment) ? tokenProgramOf(payment) : null
  if (!isUptoSvm(payment) || tokenProgram === null) throw new Error('a payment without a channel keeps no rules')
  const { channelId: id, payer, authorizer, maximum, openSlot, expiresAt } = payment.transfer
  if (maximum === null || openSlot === null) throw new Error('a channel without its numbers keeps no rules')
  return {
    id,
    payer,
    payTo: payment.payTo,
    asset: payment.asset,
    tokenProgram,
    feePayer: feePayerOf(payment),
    authorizer,
    maximum,
    withdrawDelay: withdrawDelayOf(payment),
    openSlot,
    expiresAt,
  }
}

/** The first rule that a payment of this scheme breaks, without a node; null when all hold. */
export function brokenUptoSvmRules(payment: UptoSvmRead, rules: UptoSvmRules): Failure | null {
  const { transfer } = payment
  const { served: service } = transfer
  if (!service) return failure('unsupported_scheme')
  const of = { payment, transfer, service, rules }
  for (const { reason, broken } of rulesFor(transfer)) {
    const how = broken(of)
    if (how) return failure(reason, how === true ? undefined : how)
  }
  return transfer.step === 'claim' ? null : brokenOpening(of)
}
