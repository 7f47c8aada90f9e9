import type { Hex } from 'viem'

/**
 * A signed transfer: an EIP-3009 authorization, or one for Permit2. Addresses are lower case, the nonce has 32 bytes. Times are Unix
 * seconds; `validBefore` is the first second in which the chain refuses it.
 */
export type Authorization = {
  method: 'eip3009' | 'permit2' | 'upto'
  from: Hex
  to: Hex
  /** What it moves. */
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  /** The token's permit for Permit2 that goes with it. */
  permit: TokenPermit | null
  /** Of one by `upto`: what its payer signed at most, and the only account that may send it. */
  upto?: { maximum: bigint; facilitator: Hex }
  /** Of a deposit: the channel that gets it. */
  deposit?: Hex
}

/** A signed EIP-2612 permit of the authorization's payer for Permit2. */
export type TokenPermit = { value: bigint; deadline: bigint; nonce: bigint; salt: Hex }

/** A transfer to try, and whether its payer signed it and its permit. */
export type Trial = { authorization: Authorization; signed: boolean; permitSigned: boolean }

/** The transaction that makes a transfer, and the account that calls the contract. */
export type Sent = { by: Hex; sender: Hex }

/** What the contract of channels keeps of one. */
export type Book = { balance: bigint; claimed: bigint; refunds: bigint; withdrawal: { amount: bigint; since: bigint } | null }

/** The state after a block. `used` names the transaction that used each authorization. */
export type TokenState = {
  balances: Map<Hex, bigint>
  used: Map<string, Hex>
  /** What Permit2 may take of each payer, and the nonce of each payer's next permit. */
  allowances: Map<Hex, bigint>
  permits: Map<Hex, bigint>
  /** The ether of payers, in wei; an account that is not in it has enough. */
  ether: Map<Hex, bigint>
  /** The channels, and what was claimed for each receiver and paid to it. */
  channels: Map<Hex, Book>
  receivers: Map<Hex, { claimed: bigint; settled: bigint }>
}

/** A log of a contract. */
export type ContractLog = { address: Hex; topics: Hex[]; data: Hex }

/** The key of an authorization's use: its payer and nonce, of the token or of Permit2. */
export const spentBy = ({ method, from, nonce }: Pick<Authorization, 'method' | 'from' | 'nonce'>) =>
  method === 'eip3009' ? `${from} ${nonce}` : `${from} permit2 ${nonce}`

/** All signed fields in one text. */
export const wordOf = ({ method, from, to, value, validAfter, validBefore, nonce, upto }: Authorization) =>
  [method, from, to, upto?.maximum ?? value, validAfter, validBefore, nonce, upto?.facilitator].join()

/** All signed fields of a payer's permit in one text. */
export const permitWordOf = (from: Hex, { value, deadline, nonce, salt }: TokenPermit) =>
  ['permit', from, value, deadline, nonce, salt].join()

export const copyOf = ({ balances, used, allowances, permits, ether, channels, receivers }: TokenState): TokenState => ({
  balances: new Map(balances),
  used: new Map(used),
  allowances: new Map(allowances),
  permits: new Map(permits),
  ether: new Map(ether),
  channels: new Map(channels),
  receivers: new Map(receivers),
})

/** Tries an EIP-3009 transfer in a block at this time. Returns the logs, or the token's error message. */
export function transferByToken(
  state: TokenState,
  { authorization, signed }: Trial,
  time: bigint,
  { by }: Sent,
): ContractLog[] | string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  if (time <= validAfter) return 'FiatTokenV2: authorization is not yet valid'
  if (time >= validBefore) return 'FiatTokenV2: authorization is expired'
  if (state.used.has(spentBy(authorization))) return 'FiatTokenV2: authorization is used or canceled'
  if (!signed) return 'FiatTokenV2: invalid signature'
  const balance = state.balances.get(from) ?? 0n
  if (balance < value) return 'ERC20: transfer amount exceeds balance'
  state.used.set(spentBy(authorization), by)
  move(state, from, to, value)
  return [{ address: ASSET, topics: [USED, padded(from), nonce], data: '0x' }, transferLog(from, to, value)]
}

/** Cancels an unused EIP-3009 authorization. */
export function cancel(state: TokenState, authorization: Authorization, by: Hex): ContractLog[] {
  state.used.set(spentBy(authorization), by)
  return [{ address: ASSET, topics: [CANCELED, padded(authorization.from), authorization.nonce], data: '0x' }]
}

/** Moves USDC, at most the sender's balance. */
export function move(state: TokenState, from: Hex, to: Hex, value: bigint): void {
  const balance = state.balances.get(from) ?? 0n
  const moved = value < balance ? value : balance
  state.balances.set(from, balance - moved)
  state.balances.set(to, (state.balances.get(to) ?? 0n) + moved)
}

/** The log of a transfer. */
export const transferLog = (from: Hex, to: Hex, value: bigint): ContractLog => ({
  address: ASSET,
  topics: [TRANSFER, padded(from), padded(to)],
  data: word(value),
})

/** Answers a call that reads the token; null for any other call. */
export function readToken(state: TokenState, data: Hex): Hex | null {
  const [selector, from] = [data.slice(0, 10), accountIn(data, 0)]
  if (selector === BALANCE_OF) return word(state.balances.get(from) ?? 0n)
  if (selector === ALLOWANCE) return word(state.allowances.get(from) ?? 0n)
  if (selector !== AUTHORIZATION_STATE) return null
  return word(state.used.has(spentBy({ method: 'eip3009', from, nonce: `0x${data.slice(74, 138)}` })) ? 1n : 0n)
}

/** The account among a call's arguments. */
export const accountIn = (data: Hex, at: number): Hex => `0x${data.slice(34 + 64 * at, 74 + 64 * at)}`

export const ASSET = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
const AUTHORIZATION_STATE = '0xe94a0102'

/** AuthorizationUsed, AuthorizationCanceled and Transfer. */
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
const CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const padded = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

/** A number as 32 bytes in hex. */
export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
