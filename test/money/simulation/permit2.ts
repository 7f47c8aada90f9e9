import { concat, decodeFunctionData, encodeFunctionData, type Hex, keccak256, pad, parseAbi, stringToHex } from 'viem'
import {
  ASSET,
  type Authorization,
  accountIn,
  type ContractLog,
  move,
  type Sent,
  spentBy,
  type TokenPermit,
  type TokenState,
  type Trial,
  transferLog,
  word,
} from './token'

/** Permit2 and x402's proxies, as they are on every network. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const PROXY = '0x402085c248eea27d92e8b30b2c58ed07f9e20001'
const UPTO_PROXY = '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002'

/** The proxy that takes an authorization. */
export const proxyOf = ({ upto }: Pick<Authorization, 'upto'>): Hex => (upto ? UPTO_PROXY : PROXY)

/** An allowance that transfers do not lower. */
export const UNLIMITED = 2n ** 256n - 1n

/**
 * Tries a settlement that an account makes by the proxy in a block at this time. Returns the logs, or the name of the error: then nothing
 * has happened.
 */
export function settle(
  state: TokenState,
  { authorization, signed, permitSigned }: Trial,
  time: bigint,
  { by, sender }: Sent,
): ContractLog[] | string {
  const { from, to, value, validAfter, validBefore, permit, upto } = authorization
  if (upto && value > upto.maximum) return 'AmountExceedsPermitted'
  if (upto && sender !== upto.facilitator) return 'UnauthorizedFacilitator'
  if (upto && value === 0n) return 'InvalidAmount'
  if (permit && permit.value !== value) return 'Permit2612AmountMismatch'
  if (time < validAfter) return 'PaymentTooEarly'
  if (time >= validBefore) return 'SignatureExpired'
  if (state.used.has(spentBy(authorization))) return 'InvalidNonce'
  if (!signed) return 'InvalidSigner'
  // A permit that fails is no end: the allowance may be there.
  const approves = permit !== null && permitSigned && holds(state, from, permit, time)
  const allowance = approves ? permit.value : (state.allowances.get(from) ?? 0n)
  if (allowance < value || (state.balances.get(from) ?? 0n) < value) return 'TRANSFER_FROM_FAILED'
  const logs = approves ? takePermit(state, from, permit, time) : []
  if (allowance !== UNLIMITED) state.allowances.set(from, allowance - value)
  state.used.set(spentBy(authorization), by)
  move(state, from, to, value)
  const event = permit ? SETTLED_WITH_PERMIT : SETTLED
  return [...logs, transferLog(from, to, value), { address: proxyOf(authorization), topics: [event], data: '0x' }]
}

const holds = ({ permits }: TokenState, from: Hex, { nonce, deadline }: TokenPermit, time: bigint) =>
  time <= deadline && (permits.get(from) ?? 0n) === nonce

/** Uses a payer's permit, as any account may; nothing happens when the token refuses it. */
export function takePermit(state: TokenState, from: Hex, permit: TokenPermit, time: bigint): ContractLog[] {
  if (!holds(state, from, permit, time)) return []
  state.permits.set(from, permit.nonce + 1n)
  return approve(state, from, permit.value)
}

/** The payer lets Permit2 take this much. */
export function approve(state: TokenState, from: Hex, value: bigint): ContractLog[] {
  state.allowances.set(from, value)
  return [{ address: ASSET, topics: [APPROVAL, pad(from), pad(PERMIT2)], data: word(value) }]
}

/** The payer uses up a nonce of Permit2 without a transfer. */
export function invalidate(state: TokenState, authorization: Authorization, by: Hex): ContractLog[] {
  state.used.set(spentBy(authorization), by)
  const nonce = BigInt(authorization.nonce)
  const data = concat([word(nonce >> 8n), word(1n << (nonce & 255n))])
  return [{ address: PERMIT2, topics: [INVALIDATION, pad(authorization.from)], data }]
}

/** Answers a call that reads Permit2 or the proxy; null for any other call. */
export function readPermit2({ used }: TokenState, data: Hex): Hex | null {
  if (data.startsWith(PERMIT2_OF_PROXY)) return pad(PERMIT2)
  if (!data.startsWith(NONCE_BITMAP)) return null
  const [from, place] = [accountIn(data, 0), BigInt(`0x${data.slice(74, 138)}`)]
  let bits = 0n
  const mine = spentBy({ method: 'permit2', from, nonce: '0x' })
  for (const use of used.keys()) {
    const nonce = use.startsWith(mine) ? BigInt(use.slice(mine.length - 2)) : null
    if (nonce !== null && nonce >> 8n === place) bits |= 1n << (nonce & 255n)
  }
  return word(bits)
}

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct Permit2612 { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Permit2612 permit2612, Permit permit, address owner, Witness witness, bytes signature)',
])

const uptoAbi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
])

/** The authorization in calldata of a proxy; null for other calldata. The `r` of a permit is its nonce here, and its `s` the salt. */
export function readSettle(data: Hex): Authorization | null {
  if (data.startsWith(SETTLE_UPTO)) return readUpto(data)
  if (!data.startsWith(SETTLE) && !data.startsWith(SETTLE_WITH_PERMIT)) return null
  const { functionName, args } = decodeFunctionData({ abi, data })
  const [signed, owner, witness] = functionName === 'settle' ? args : ([args[1], args[2], args[3]] as const)
  const permit = functionName === 'settle' ? null : args[0]
  // A transfer of another token is none of this chain.
  const value = lower(signed.permitted.token) === ASSET ? signed.permitted.amount : 0n
  return {
    method: 'permit2',
    from: lower(owner),
    to: lower(witness.to),
    value,
    validAfter: witness.validAfter,
    validBefore: signed.deadline + 1n,
    nonce: word(signed.nonce),
    permit: permit && { value: permit.value, deadline: permit.deadline, nonce: BigInt(permit.r), salt: permit.s },
  }
}

function readUpto(data: Hex): Authorization {
  const [signed, amount, owner, witness] = decodeFunctionData({ abi: uptoAbi, data }).args
  return {
    method: 'upto',
    from: lower(owner),
    to: lower(witness.to),
    value: lower(signed.permitted.token) === ASSET ? amount : 0n,
    validAfter: witness.validAfter,
    validBefore: signed.deadline + 1n,
    nonce: word(signed.nonce),
    permit: null,
    upto: { maximum: signed.permitted.amount, facilitator: lower(witness.facilitator) },
  }
}

/** How much calldata of the token's `approve` lets Permit2 take; null for other calldata. */
export function readApproval(data: Hex): bigint | null {
  return data.startsWith(APPROVE) && accountIn(data, 0) === PERMIT2 ? BigInt(`0x${data.slice(74, 138)}`) : null
}

/** Calldata of the token's `approve` for Permit2. */
export const approvalData = (value: bigint): Hex => concat([APPROVE, pad(PERMIT2), word(value)])

/** Calldata of a settlement, as a stranger sends it. */
export function settleData({ from, to, value, validAfter, validBefore, nonce }: Authorization, signature: Hex): Hex {
  const permit = { permitted: { token: ASSET, amount: value }, nonce: BigInt(nonce), deadline: validBefore - 1n } as const
  return encodeFunctionData({ abi, functionName: 'settle', args: [permit, from, { to, validAfter }, signature] })
}

const lower = (address: Hex): Hex => `0x${address.slice(2).toLowerCase()}`
const hashText = (text: string) => keccak256(stringToHex(text))

/** The hash that the payer signs for Permit2 on a chain. */
export function permit2Hash(chainId: number, authorization: Authorization): Hex {
  const { to, value, validAfter, validBefore, nonce, upto } = authorization
  const separator = keccak256(concat([DOMAIN, hashText('Permit2'), word(BigInt(chainId)), pad(PERMIT2)]))
  const permitted = keccak256(concat([PERMISSIONS, pad(ASSET), word(upto?.maximum ?? value)]))
  const type = upto ? UPTO_WITNESS : WITNESS
  const parties = upto ? [pad(to), pad(upto.facilitator)] : [pad(to)]
  const witness = keccak256(concat([hashText(type), ...parties, word(validAfter)]))
  const rest = [permitted, pad(proxyOf(authorization)), nonce, word(validBefore - 1n), witness]
  const struct = keccak256(concat([hashText(`${PERMIT}${type}`), ...rest]))
  return keccak256(concat(['0x1901', separator, struct]))
}

const DOMAIN = hashText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const WITNESS = 'Witness(address to,uint256 validAfter)'
const UPTO_WITNESS = 'Witness(address to,address facilitator,uint256 validAfter)'
const PERMISSIONS = hashText('TokenPermissions(address token,uint256 amount)')
const PERMIT =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)'

/** Settled, SettledWithPermit, Approval and UnorderedNonceInvalidation. */
const SETTLED = hashText('Settled()')
const SETTLED_WITH_PERMIT = hashText('SettledWithPermit()')
const APPROVAL = hashText('Approval(address,address,uint256)')
const INVALIDATION = hashText('UnorderedNonceInvalidation(address,uint256,uint256)')
const selectorOf = (signature: string): Hex => `0x${hashText(signature).slice(2, 10)}`
const NONCE_BITMAP = selectorOf('nonceBitmap(address,uint256)')
const PERMIT2_OF_PROXY = selectorOf('PERMIT2()')
const APPROVE = selectorOf('approve(address,uint256)')
const SETTLE = selectorOf('settle(((address,uint256),uint256,uint256),address,(address,uint256),bytes)')
const SETTLE_UPTO = selectorOf('settle(((address,uint256),uint256,uint256),uint256,address,(address,address,uint256),bytes)')
const SETTLE_WITH_PERMIT = selectorOf(
  'settleWithPermit((uint256,uint256,bytes32,bytes32,uint8),((address,uint256),uint256,uint256),address,(address,uint256),bytes)',
)
