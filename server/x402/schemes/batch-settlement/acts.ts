import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  pad,
  prepareEncodeFunctionData,
  size,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { z } from 'zod'
import { atomic } from '../../atomic'
import type { Reason } from '../../reasons/reasons'
import type { EventLog, EvmAct, ProvenTransfer } from '../evm-method'
import { digits, hexText } from '../evm-stored'
import type { ClaimRow } from './channel'
import { BATCH_SETTLEMENT_CONTRACT, batchSettlementAbi } from './contracts'
import { storedChannel } from './stored'
import type { SignedAct, SignedClaims, SignedRefund, SignedSweep } from './transfers'

const claimWithSignature = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'claimWithSignature' })
const refundWithSignature = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'refundWithSignature' })
const settle = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'settle' })
const multicall = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'multicall' })
const channels = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'channels' })
const refundNonce = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'refundNonce' })
const receivers = prepareEncodeFunctionData({ abi: batchSettlementAbi, functionName: 'receivers' })

const DEPOSITED = toEventSelector('Deposited(bytes32,address,uint128,uint128)')
const CLAIMED = toEventSelector('Claimed(bytes32,address,uint128,uint128)')
const REFUNDED = toEventSelector('Refunded(bytes32,address,uint128)')
const SETTLED = toEventSelector('Settled(address,address,address,uint128)')

/** A claim takes about 40,000 gas and 20,000 for each row more; a row that a wallet's code approves takes what that code takes. */
const GAS_OF_ACT = 90_000n
const GAS_OF_ROW = { key: 35_000n, code: 285_000n } as const
const GAS_OF_BYTE = 17n
/** The transfer of a token to a new recipient, with that of a proxy. */
const GAS_OF_PAYOUT = 110_000n

/** The calldata of claims. */
const claimsData = (rows: readonly ClaimRow[], signature: Hex): Hex =>
  encodeFunctionData({
    ...claimWithSignature,
    args: [
      rows.map(({ channel, voucher, totalClaimed }) => ({
        voucher: { channel, maxClaimableAmount: voucher.maxClaimable },
        signature: voucher.signature,
        totalClaimed,
      })),
      signature,
    ],
  })

/** The calldata of a refund, behind its claims. */
function refundData({ channel, amount, nonce, signature, claims }: Omit<SignedRefund, 'method' | 'proof'>): Hex {
  const refund = encodeFunctionData({ ...refundWithSignature, args: [channel, amount, nonce, signature] })
  if (!claims) return refund
  return encodeFunctionData({ ...multicall, args: [[claimsData(claims.rows, claims.signature), refund]] })
}

/** The calldata that pays a receiver what was claimed for it in a token. */
const sweepData = (receiver: Hex, token: Hex): Hex => encodeFunctionData({ ...settle, args: [receiver, token] })

const gasOfBytes = (signature: Hex): bigint => BigInt(size(signature)) * GAS_OF_BYTE

const gasOfClaims = ({ rows, signature }: Pick<SignedClaims, 'rows' | 'signature'>): bigint =>
  rows.reduce(
    (sum, { channel, voucher }) =>
      sum + GAS_OF_ROW[channel.payerAuthorizer === zeroAddress ? 'code' : 'key'] + gasOfBytes(voucher.signature),
    GAS_OF_ACT + gasOfBytes(signature),
  )

/** What logs of the contract say of one event: its topics behind the event's own, and its words. */
function* eventsOf(logs: readonly EventLog[], event: Hex) {
  for (const { address, topics, data, logIndex } of logs) {
    if (address !== BATCH_SETTLEMENT_CONTRACT || topics[0] !== event) continue
    const words = Array.from({ length: (data.length - 2) / 64 }, (_, at) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`))
    yield { topics: topics.slice(1), words, logIndex: logIndex ?? null }
  }
}

/** Those events that say that something moved: one over nothing proves no act. */
const movesIn = (logs: readonly EventLog[], event: Hex) =>
  [...eventsOf(logs, event)].filter(({ words: [amount = 0n] }) => amount > 0n)

const claimName = (channelId: string, total: bigint) => `claim,${channelId.toLowerCase()},${total}`
const refundName = (channelId: string) => `refund,${channelId.toLowerCase()}`
const sweepName = (receiver: string, token: string) => `sweep,${receiver},${token}`.toLowerCase()

/** What a successful receipt says of claims, in atomic units: what each channel's claim added. */
export function claimedIn(logs: readonly EventLog[]): Map<string, bigint> {
  const claimed = new Map<string, bigint>()
  for (const { topics, words } of eventsOf(logs, CLAIMED)) if (topics[0] && words[0]) claimed.set(topics[0], words[0])
  return claimed
}

/** The balance of a channel after the last deposit into it in a successful receipt; null without one. */
export function depositedIn(logs: readonly EventLog[], channelId: Hex): bigint | null {
  let balance: bigint | null = null
  for (const { topics, words } of eventsOf(logs, DEPOSITED)) if (topics[0] === channelId) balance = words[1] ?? balance
  return balance
}

/** What a successful receipt says was refunded of a channel; null without its event. */
export function refundedIn(logs: readonly EventLog[], channelId: Hex): bigint | null {
  for (const { topics, words } of eventsOf(logs, REFUNDED)) if (topics[0] === channelId) return words[0] ?? null
  return null
}

/** What a successful receipt says was paid to a receiver in a token; null without its event. */
export function sweptIn(logs: readonly EventLog[], receiver: Hex, token: Hex): bigint | null {
  for (const { topics, words } of eventsOf(logs, SETTLED))
    if (topics[0] === pad(receiver) && topics[1] === pad(token)) return words[0] ?? null
  return null
}

/** The parts that are alike for every act. */
const shared = (failed: Reason, empty?: Reason) =>
  ({
    reasons: { failed, expired: failed, short: failed, ...(empty && { empty }) },
    contract: (): Hex => BATCH_SETTLEMENT_CONTRACT,
    sender: () => null,
    deployment: () => null,
    shares: false,
    // The first word of each call is an offset or an address without code.
    payerWord: () => 0,
    strays: () => 0,
    mark: () => null,
    approval: () => null,
    isApproved: () => true,
  }) as const

/** The totals that were claimed of channels, in the result of a multicall that reads each. */
function totalsIn(result: Hex): bigint[] {
  const answers = decodeFunctionResult({ abi: batchSettlementAbi, functionName: 'multicall', data: result })
  return answers.map((one) => decodeFunctionResult({ abi: batchSettlementAbi, functionName: 'channels', data: one })[1])
}

/** Claims: of one authorizer, in one call that fails as a whole. */
const claims: EvmAct<SignedClaims> = {
  ...shared('invalid_batch_settlement_evm_claim_transaction_failed'),
  // It passes over what was claimed before.
  isDoneBySuccess: true,
  call: ({ rows, signature }) => ({ to: BATCH_SETTLEMENT_CONTRACT, data: claimsData(rows, signature) }),
  gas(transfer) {
    const inBatch = gasOfClaims(transfer)
    return { alone: inBatch, inBatch }
  },
  moved: ({ gain }) => gain,
  usedCall: ({ ids }) => ({
    to: BATCH_SETTLEMENT_CONTRACT,
    data: encodeFunctionData({ ...multicall, args: [ids.map((id) => encodeFunctionData({ ...channels, args: [id] }))] }),
  }),
  isUsed: ({ rows }, result) => totalsIn(result).every((total, at) => total >= (rows[at]?.totalClaimed ?? 0n)),
  proof: ({ ids, rows }) => claimName(ids[0] ?? '', rows[0]?.totalClaimed ?? 0n),
  // The call fails as a whole, and passes over what was claimed meanwhile: any of its events proves that it was made.
  proofs: ({ ids, rows }) => ids.map((id, at) => claimName(id, rows[at]?.totalClaimed ?? 0n)),
  proofsIn: (logs) =>
    movesIn(logs, CLAIMED).map(
      ({ topics, words, logIndex }): ProvenTransfer => [claimName(topics[0] ?? '', words[1] ?? 0n), logIndex],
    ),
  useLogs: ({ ids }) => ({ address: BATCH_SETTLEMENT_CONTRACT, topics: [CLAIMED, [...ids]] }),
  isUse: ({ ids, rows }, { address, topics: [event, id], data }) =>
    address === BATCH_SETTLEMENT_CONTRACT &&
    event === CLAIMED &&
    ids.some((one, at) => one === id && BigInt(`0x${data.slice(66, 130)}`) === rows[at]?.totalClaimed),
  stored: z
    .object({
      authorization: z.object({ from: hexText, to: hexText, value: atomic }),
      asset: hexText,
      signature: hexText,
      proof: z.literal('key'),
      signedHere: z.boolean().default(false),
      gain: atomic.default(0n),
      ids: z.array(hexText),
      rows: z.array(
        z.object({
          channel: storedChannel,
          voucher: z.object({ maxClaimable: atomic, signature: hexText }),
          totalClaimed: atomic,
        }),
      ),
    })
    .transform((stored) => ({ method: 'batch-claim', ...stored })),
  store: ({ method, authorization, signature, proof, signedHere, gain, ids, rows }) => ({
    method,
    authorization: digits(authorization),
    signature,
    proof,
    signedHere,
    gain: String(gain),
    ids,
    rows: rows.map(writtenRow),
  }),
}

const writtenRow = ({ channel, voucher, totalClaimed }: ClaimRow) => ({
  channel,
  voucher: digits(voucher),
  totalClaimed: String(totalClaimed),
})

/** A refund: its nonce is used once, and claims of the same channel come before it in the same call. */
const refund: EvmAct<SignedRefund> = {
  // The contract uses the nonce and moves nothing where a withdrawal came first.
  ...shared('invalid_batch_settlement_evm_refund_transaction_failed', 'invalid_batch_settlement_evm_refund_no_balance'),
  call: (transfer) => ({ to: BATCH_SETTLEMENT_CONTRACT, data: refundData(transfer) }),
  gas({ signature, claims: before }) {
    const inBatch = GAS_OF_ACT + GAS_OF_PAYOUT + gasOfBytes(signature) + (before ? gasOfClaims(before) : 0n)
    return { alone: inBatch, inBatch }
  },
  moved: ({ amount }) => amount,
  usedCall: ({ channelId }) => ({
    to: BATCH_SETTLEMENT_CONTRACT,
    data: encodeFunctionData({ ...refundNonce, args: [channelId] }),
  }),
  isUsed: ({ nonce }, result) => BigInt(result) > nonce,
  proof: ({ channelId }) => refundName(channelId),
  proofsIn: (logs) =>
    movesIn(logs, REFUNDED).map(({ topics, logIndex }): ProvenTransfer => [refundName(topics[0] ?? ''), logIndex]),
  useLogs: ({ channelId }) => ({ address: BATCH_SETTLEMENT_CONTRACT, topics: [REFUNDED, channelId] }),
  isUse: ({ channelId }, { address, topics: [event, id] }) =>
    address === BATCH_SETTLEMENT_CONTRACT && event === REFUNDED && id === channelId,
  stored: z
    .object({
      authorization: z.object({ from: hexText, to: hexText, value: atomic }),
      asset: hexText,
      signature: hexText,
      proof: z.literal('key'),
      signedHere: z.boolean().default(false),
      channel: storedChannel,
      channelId: hexText,
      amount: atomic,
      nonce: atomic,
      claims: z
        .object({
          signature: hexText,
          rows: z.array(
            z.object({
              channel: storedChannel,
              voucher: z.object({ maxClaimable: atomic, signature: hexText }),
              totalClaimed: atomic,
            }),
          ),
        })
        .nullable(),
    })
    .transform((stored) => ({ method: 'batch-refund', ...stored })),
  store: ({ method, authorization, signature, proof, signedHere, channel, channelId, amount, nonce, claims: before }) => ({
    method,
    authorization: digits(authorization),
    signature,
    proof,
    signedHere,
    channel,
    channelId,
    amount: String(amount),
    nonce: String(nonce),
    claims: before && { signature: before.signature, rows: before.rows.map(writtenRow) },
  }),
}

/** The payment of what was claimed. Anyone may ask for it: if a stranger did first, nothing is left for ours. */
const sweep: EvmAct<SignedSweep> = {
  ...shared('invalid_batch_settlement_evm_settle_transaction_failed', 'invalid_batch_settlement_evm_nothing_to_settle'),
  isDoneBySuccess: true,
  call: ({ asset, authorization: { to } }) => ({ to: BATCH_SETTLEMENT_CONTRACT, data: sweepData(to, asset) }),
  gas: () => ({ alone: GAS_OF_ACT + GAS_OF_PAYOUT, inBatch: GAS_OF_ACT + GAS_OF_PAYOUT }),
  moved: ({ gain }) => gain,
  usedCall: ({ asset, authorization: { to } }) => ({
    to: BATCH_SETTLEMENT_CONTRACT,
    data: encodeFunctionData({ ...receivers, args: [to, asset] }),
  }),
  // The second word: what was paid out.
  isUsed: ({ claimed }, result) => BigInt(`0x${result.slice(66, 130)}`) >= claimed,
  proof: ({ asset, authorization: { to } }) => sweepName(to, asset),
  proofsIn: (logs) =>
    movesIn(logs, SETTLED).map(
      ({ topics, logIndex }): ProvenTransfer => [sweepName(`0x${topics[0]?.slice(26)}`, `0x${topics[1]?.slice(26)}`), logIndex],
    ),
  useLogs: ({ asset, authorization: { to } }) => ({
    address: BATCH_SETTLEMENT_CONTRACT,
    topics: [SETTLED, pad(to), pad(asset)],
  }),
  isUse: ({ asset, authorization: { to } }, { address, topics: [event, receiver, token] }) =>
    address === BATCH_SETTLEMENT_CONTRACT && event === SETTLED && receiver === pad(to) && token === pad(asset),
  stored: z
    .object({
      authorization: z.object({ from: hexText, to: hexText, value: atomic }),
      asset: hexText,
      signature: hexText,
      proof: z.literal('key'),
      claimed: atomic,
      gain: atomic.default(0n),
    })
    .transform((stored) => ({ method: 'batch-sweep', ...stored })),
  store: ({ method, authorization, signature, proof, claimed, gain }) => ({
    method,
    authorization: digits(authorization),
    signature,
    proof,
    claimed: String(claimed),
    gain: String(gain),
  }),
}

/** The acts of channels, by the name of what is sent. */
export const channelActs = { 'batch-claim': claims, 'batch-refund': refund, 'batch-sweep': sweep } as const satisfies Record<
  SignedAct['method'],
  EvmAct
>
