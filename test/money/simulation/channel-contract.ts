import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  size,
  stringToHex,
} from 'viem'
import { recoverAddress } from '../../../server/chains/evm/signer'
import type { ChannelConfig } from '../../../server/x402/schemes/batch-settlement/channel'
import { channelIdOf, claimsHash, refundHash, voucherHash } from '../../../server/x402/schemes/batch-settlement/hashes'
import {
  ASSET,
  type Authorization,
  type Book,
  type ContractLog,
  move,
  type Sent,
  type TokenState,
  type Trial,
  transferByToken,
  transferLog,
  word,
} from './token'

const NETWORK = 'eip155:84532'
/** x402's contract of channels and its collector by EIP-3009, as they are on every network. */
export const CHANNELS = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003'
export const COLLECTOR = '0x4020806089470a89826cb9fb1f4059150b550004'

/** Here a withdrawal's delay is over a hundred times sooner than its channel says: a run lasts a minute. */
const HASTE = 100n

const EMPTY: Book = { balance: 0n, claimed: 0n, refunds: 0n, withdrawal: null }

/** A row of a claim, as calldata has it. */
type Row = { id: Hex; channel: ChannelConfig; most: bigint; signature: Hex; total: bigint }

/** An act on channels in calldata. */
export type Act =
  | { kind: 'claim'; rows: Row[]; signature: Hex }
  | { kind: 'refund'; id: Hex; channel: ChannelConfig; amount: bigint; nonce: bigint; signature: Hex }
  | { kind: 'sweep'; receiver: Hex; token: Hex }

const abi = parseAbi([
  'struct Channel { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'struct Voucher { Channel channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function deposit(Channel config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(Channel config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function receivers(address receiver, address token) view returns (uint128 totalClaimed, uint128 totalSettled)',
])

const SELECTORS = {
  deposit: '0x140f1e75',
  claim: '0xe43ce1f2',
  sweep: '0x9db32a8f',
  refund: '0xb77433e9',
  multicall: '0xac9650d8',
  channels: '0x7a7ebd7b',
  withdrawals: '0xb7f06ebe',
  receivers: '0x21ff6389',
  refunds: '0xf0dc792e',
}

/** The topics of the events. */
const DEPOSITED = '0x6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89'
export const CLAIMED = '0x36bd546bb573e8921fdbfd934bbed62d872796b01792cd240cce27f79dd3eddd'
export const REFUNDED = '0xa84286cf8ebc7903a663c77c8d99aa92b600d4c2fcca872a5d4a663db4eb394b'
const SETTLED = '0x7337b4386b690fdb8ba66905b92b9d45d33bc6626ee2620c905fb150ec0cc47d'
export const WITHDRAW_ASKED = '0xe4280d0d903c7f258f62b07c62f262377cbaa23f7791d78126e6446e0f0e3c23'
export const WITHDRAWN = '0x546ce1e2242cd930c196bd08b894443562d709b4fffe4f028a75a6d233efc6e3'

const lower = (text: Hex): Hex => `0x${text.slice(2).toLowerCase()}`

const configIn = (config: ChannelConfig): ChannelConfig => ({
  payer: lower(config.payer),
  payerAuthorizer: lower(config.payerAuthorizer),
  receiver: lower(config.receiver),
  receiverAuthorizer: lower(config.receiverAuthorizer),
  token: lower(config.token),
  withdrawDelay: config.withdrawDelay,
  salt: config.salt,
})

/** The EIP-3009 nonce of a deposit. */
export const nonceOf = (id: Hex, salt: bigint): Hex =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [id, salt]))

/** The authorization in the calldata of a deposit; null for other calldata. */
export function readDeposit(data: Hex): Authorization | null {
  if (!data.startsWith(SELECTORS.deposit)) return null
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName !== 'deposit') return null
  const [config, amount, , signed] = args
  const channel = configIn(config)
  const [validAfter, validBefore, salt] = [0, 1, 2].map((at) => BigInt(`0x${signed.slice(2 + 64 * at, 66 + 64 * at)}`))
  const id = channelIdOf(NETWORK, channel)
  return {
    method: 'eip3009',
    from: channel.payer,
    to: COLLECTOR,
    value: amount,
    validAfter: validAfter ?? 0n,
    validBefore: validBefore ?? 0n,
    nonce: nonceOf(id, salt ?? 0n),
    permit: null,
    deposit: id,
  }
}

/** The acts in calldata of the contract, in their order; null for other calldata. */
export function readActs(data: Hex): Act[] | null {
  const { claim, refund, sweep, multicall } = SELECTORS
  if (![claim, refund, sweep, multicall].some((selector) => data.startsWith(selector))) return null
  const { functionName, args } = decodeFunctionData({ abi, data })
  switch (functionName) {
    case 'multicall':
      return args[0].flatMap((call) => readActs(call) ?? [])
    case 'claimWithSignature':
      return [
        {
          kind: 'claim',
          signature: args[1],
          rows: args[0].map(({ voucher, signature, totalClaimed }) => {
            const channel = configIn(voucher.channel)
            return {
              id: channelIdOf(NETWORK, channel),
              channel,
              most: voucher.maxClaimableAmount,
              signature,
              total: totalClaimed,
            }
          }),
        },
      ]
    case 'refundWithSignature': {
      const [config, amount, nonce, signature] = args
      const channel = configIn(config)
      return [{ kind: 'refund', id: channelIdOf(NETWORK, channel), channel, amount, nonce, signature }]
    }
    case 'settle':
      return [{ kind: 'sweep', receiver: lower(args[0]), token: lower(args[1]) }]
    default:
      return null
  }
}

const bookOf = ({ channels }: TokenState, id: Hex): Book => channels.get(id) ?? EMPTY

/** Tries a deposit in a block at this time. Returns the logs, or the error. */
export function deposit(state: TokenState, trial: Trial, time: bigint, sent: Sent): ContractLog[] | string {
  const { deposit: id = '0x', value } = trial.authorization
  const taken = transferByToken(state, trial, time, sent)
  if (typeof taken === 'string') return taken
  move(state, COLLECTOR, CHANNELS, value)
  const book = bookOf(state, id)
  const balance = book.balance + value
  state.channels.set(id, { ...book, balance })
  const data: Hex = `${word(value)}${word(balance).slice(2)}`
  return [
    ...taken,
    transferLog(COLLECTOR, CHANNELS, value),
    { address: CHANNELS, topics: [DEPOSITED, id, pad(sent.sender)], data },
  ]
}

/** Makes acts one after the other in a block at this time. Returns the logs; or the error of one, and then what happened is to be forgotten. */
export function makeActs(state: TokenState, acts: readonly Act[], sender: Hex): ContractLog[] | string {
  const logs: ContractLog[] = []
  for (const act of acts) {
    const said =
      act.kind === 'claim'
        ? claim(state, act, sender)
        : act.kind === 'refund'
          ? refund(state, act, sender)
          : sweep(state, act, sender)
    if (typeof said === 'string') return said
    logs.push(...said)
  }
  return logs
}

const isSigned = (hash: Hex, signature: Hex, by: Hex): boolean => {
  if (size(signature) !== 65) return false
  const [r, s]: [Hex, Hex] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`]
  const v = signature.endsWith('1c') ? 28 : 27
  return recoverAddress(hash, { r, s, v })?.toLowerCase() === by
}

function claim(state: TokenState, { rows, signature }: Extract<Act, { kind: 'claim' }>, sender: Hex): ContractLog[] | string {
  const authorizer = rows[0]?.channel.receiverAuthorizer
  if (!authorizer) return 'EmptyBatch()'
  const signed = rows.map(({ channel, most, total, signature: by }) => ({
    channel,
    voucher: { maxClaimable: most, signature: by },
    totalClaimed: total,
  }))
  if (!isSigned(claimsHash(NETWORK, signed), signature, authorizer)) return 'InvalidSignature()'
  const logs: ContractLog[] = []
  for (const { id, channel, most, total, signature: by } of rows) {
    const book = bookOf(state, id)
    if (channel.receiverAuthorizer !== authorizer) return 'NotReceiverAuthorizer()'
    if (total <= book.claimed) continue
    if (total > most) return 'ClaimExceedsCeiling()'
    if (total > book.balance) return 'ClaimExceedsBalance()'
    if (!isSigned(voucherHash(NETWORK, id, most), by, channel.payerAuthorizer)) return 'InvalidSignature()'
    const amount = total - book.claimed
    state.channels.set(id, { ...book, claimed: total })
    const owed = state.receivers.get(channel.receiver) ?? { claimed: 0n, settled: 0n }
    state.receivers.set(channel.receiver, { ...owed, claimed: owed.claimed + amount })
    logs.push({ address: CHANNELS, topics: [CLAIMED, id, pad(sender)], data: `${word(amount)}${word(total).slice(2)}` })
  }
  return logs
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

function refund(state: TokenState, act: Extract<Act, { kind: 'refund' }>, sender: Hex): ContractLog[] | string {
  const { id, channel, amount, nonce, signature } = act
  const book = bookOf(state, id)
  if (nonce !== book.refunds) return 'InvalidRefundNonce()'
  if (!isSigned(refundHash(NETWORK, { channelId: id, nonce, amount }), signature, channel.receiverAuthorizer))
    return 'InvalidSignature()'
  const paid = least(amount, book.balance - book.claimed)
  const left =
    book.withdrawal && book.withdrawal.amount > paid ? { ...book.withdrawal, amount: book.withdrawal.amount - paid } : null
  state.channels.set(id, {
    ...book,
    refunds: book.refunds + 1n,
    balance: book.balance - paid,
    withdrawal: paid === 0n ? book.withdrawal : left,
  })
  if (paid === 0n) return []
  move(state, CHANNELS, channel.payer, paid)
  return [
    { address: CHANNELS, topics: [REFUNDED, id, pad(sender)], data: word(paid) },
    transferLog(CHANNELS, channel.payer, paid),
  ]
}

function sweep(state: TokenState, { receiver }: Extract<Act, { kind: 'sweep' }>, sender: Hex): ContractLog[] {
  const owed = state.receivers.get(receiver) ?? { claimed: 0n, settled: 0n }
  const amount = owed.claimed - owed.settled
  if (amount === 0n) return []
  state.receivers.set(receiver, { claimed: owed.claimed, settled: owed.claimed })
  move(state, CHANNELS, receiver, amount)
  return [
    transferLog(CHANNELS, receiver, amount),
    { address: CHANNELS, topics: [SETTLED, pad(receiver), pad(ASSET), pad(sender)], data: word(amount) },
  ]
}

/** A payer asks to withdraw all that is left of its channel, or takes it if the delay is over. Returns the logs. */
export function withdraw(state: TokenState, channel: ChannelConfig, time: bigint): ContractLog[] {
  const id = channelIdOf(NETWORK, channel)
  const book = bookOf(state, id)
  const free = book.balance - book.claimed
  const delay = BigInt(channel.withdrawDelay) / HASTE
  if (!book.withdrawal) {
    if (free <= 0n) return []
    state.channels.set(id, { ...book, withdrawal: { amount: free, since: time } })
    return [{ address: CHANNELS, topics: [WITHDRAW_ASKED, id], data: `${word(free)}${word(time + delay).slice(2)}` }]
  }
  if (time < book.withdrawal.since + delay) return []
  const amount = least(book.withdrawal.amount, free)
  state.channels.set(id, { ...book, balance: book.balance - amount, withdrawal: null })
  move(state, CHANNELS, channel.payer, amount)
  return [
    { address: CHANNELS, topics: [WITHDRAWN, id, pad(channel.payer)], data: word(amount) },
    transferLog(CHANNELS, channel.payer, amount),
  ]
}

/** Answers a call that reads the contract; null for any other call. */
export function readChannels(state: TokenState, data: Hex): Hex | null {
  const id: Hex = `0x${data.slice(10, 74)}`
  const book = bookOf(state, id)
  const words = (...values: bigint[]): Hex => `0x${values.map((value) => word(value).slice(2)).join('')}`
  if (data.startsWith(SELECTORS.channels)) return words(book.balance, book.claimed)
  if (data.startsWith(SELECTORS.withdrawals)) return words(book.withdrawal?.amount ?? 0n, book.withdrawal?.since ?? 0n)
  if (data.startsWith(SELECTORS.refunds)) return words(book.refunds)
  if (data.startsWith(SELECTORS.receivers)) {
    const { claimed, settled } = state.receivers.get(`0x${data.slice(34, 74)}`) ?? { claimed: 0n, settled: 0n }
    return words(claimed, settled)
  }
  if (!data.startsWith(SELECTORS.multicall)) return null
  const { functionName, args } = decodeFunctionData({ abi, data })
  const results = functionName === 'multicall' ? args[0].map((call) => readChannels(state, call)) : [null]
  const known = results.filter((one) => one !== null)
  return known.length === results.length ? encodeFunctionResult({ abi, functionName: 'multicall', result: known }) : null
}

/** What a node says of the contract's error. */
export const errorData = (error: string): Hex => `0x${keccak256(stringToHex(error)).slice(2, 10)}`
