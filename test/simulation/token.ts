import type { Hex } from 'viem'

/** A signed EIP-3009 authorization. Addresses are lower case, times are Unix seconds. */
export type Authorization = { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex }

/** The token's state after a block: balances, and the transaction that used each authorization. */
export type TokenState = { balances: Map<Hex, bigint>; used: Map<string, Hex> }

/** A log of the token. */
export type TokenLog = { topics: Hex[]; data: Hex }

/** The key of an authorization's use: its payer and nonce. */
export const spentBy = ({ from, nonce }: Pick<Authorization, 'from' | 'nonce'>) => `${from} ${nonce}`

/** All signed fields in one text. */
export const wordOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce].join()

export const copyOf = ({ balances, used }: TokenState): TokenState => ({ balances: new Map(balances), used: new Map(used) })

/** Tries a transfer in a block at this time. Returns the logs, or the token's error message. */
export function transfer(
  state: TokenState,
  { authorization, signed }: { authorization: Authorization; signed: boolean },
  time: bigint,
  by: Hex,
): TokenLog[] | string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  if (time <= validAfter) return 'FiatTokenV2: authorization is not yet valid'
  if (time >= validBefore) return 'FiatTokenV2: authorization is expired'
  if (state.used.has(spentBy(authorization))) return 'FiatTokenV2: authorization is used or canceled'
  if (!signed) return 'FiatTokenV2: invalid signature'
  const balance = state.balances.get(from) ?? 0n
  if (balance < value) return 'ERC20: transfer amount exceeds balance'
  state.used.set(spentBy(authorization), by)
  move(state, from, to, value)
  return [
    { topics: [USED, padded(from), nonce], data: '0x' },
    { topics: [TRANSFER, padded(from), padded(to)], data: word(value) },
  ]
}

/** Cancels an unused authorization. */
export function cancel(state: TokenState, authorization: Authorization, by: Hex): TokenLog[] {
  if (state.used.has(spentBy(authorization))) return []
  state.used.set(spentBy(authorization), by)
  return [{ topics: [CANCELED, padded(authorization.from), authorization.nonce], data: '0x' }]
}

/** Moves USDC, at most the sender's balance. */
export function move(state: TokenState, from: Hex, to: Hex, value: bigint): void {
  const balance = state.balances.get(from) ?? 0n
  const moved = value < balance ? value : balance
  state.balances.set(from, balance - moved)
  state.balances.set(to, (state.balances.get(to) ?? 0n) + moved)
}

/** AuthorizationUsed and AuthorizationCanceled. */
export const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
export const CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const padded = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

/** A number as 32 bytes in hex. */
export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
