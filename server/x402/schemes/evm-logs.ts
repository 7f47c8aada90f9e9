import { type Hex, parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import { BATCH_SETTLEMENT_CONTRACT } from './batch-settlement/contracts'
import { channelErrors } from './batch-settlement/reverts'
import type { CallResult, EventLog } from './evm-method'
import { EXACT_PROXY, UPTO_PROXY } from './permit2/contracts'

/** The parts of an ERC-20 token that every method uses. */
export const erc20Abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The topic of ERC-20's Transfer. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** The topic of EIP-3009's use of an authorization, which comes before its Transfer. */
export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

/** The topic of a cancelled authorization of EIP-3009. */
export const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')

/** The contracts of x402 that move tokens and log it. */
export const x402Contracts: ReadonlySet<Hex> = new Set([EXACT_PROXY, UPTO_PROXY, BATCH_SETTLEMENT_CONTRACT])

/** The parts of a Transfer log, in lower case; null for any other log. */
export function readTransferLog({ address, topics, data }: EventLog): { asset: Hex; from: Hex; to: Hex; value: bigint } | null {
  const [event, from, to] = topics
  if (event !== TRANSFER || !from || !to || data.length !== 66) return null
  return { asset: address, from: addressIn(from), to: addressIn(to), value: BigInt(data) }
}

/**
 * The place of each AuthorizationUsed by the place of its Transfer: the token's next Transfer, by the same payer, before the token's next
 * use and before anything of a contract of x402. So no two authorizations share one Transfer, and a token may log other things between.
 */
export function eip3009Transfers(logs: readonly EventLog[]): ReadonlyMap<number, number> {
  const uses = new Map<number, number>()
  const open = new Map<Hex, number>()
  for (const [at, log] of logs.entries()) {
    if (x402Contracts.has(log.address)) open.clear()
    const [event, authorizer] = log.topics
    if (event === AUTHORIZATION_USED && authorizer) open.set(log.address, at)
    const moved = readTransferLog(log)
    const use = moved ? open.get(moved.asset) : undefined
    if (!moved || use === undefined) continue
    open.delete(moved.asset)
    const [, payer] = logs[use]?.topics ?? []
    if (payer && addressIn(payer) === moved.from) uses.set(at, use)
  }
  return uses
}

/** The address in a topic. */
export const addressIn = (topic: Hex): Hex => `0x${topic.slice(26)}`

/** The number that a call returned; null when it failed or returned something else. */
export function wordOf(result: CallResult | undefined): bigint | null {
  return result?.success && result.returnData.length === 66 ? BigInt(result.returnData) : null
}

/** Whether the result of a call is that of an account without code: a success with nothing. */
export const isEmpty = (result: CallResult | undefined): boolean => result?.success === true && result.returnData === '0x'

/** The errors of Permit2, of the x402 proxies and of OpenZeppelin's ERC-20 that have a name and no text, by selector. */
export const revertNames: ReadonlyMap<string, string> = new Map([
  ...channelErrors,
  ...[
    'InvalidNonce()',
    'SignatureExpired(uint256)',
    'InvalidSigner()',
    'InvalidContractSignature()',
    'InvalidSignature()',
    'InvalidSignatureLength()',
    'InvalidAmount()',
    'InvalidAmount(uint256)',
    'InvalidDestination()',
    'InvalidOwner()',
    'InvalidPermit2Address()',
    'PaymentTooEarly()',
    'AmountExceedsPermitted()',
    'UnauthorizedFacilitator()',
    'Permit2612AmountMismatch()',
    'ReentrancyGuardReentrantCall()',
    'ERC20InsufficientBalance(address,uint256,uint256)',
    'ERC20InsufficientAllowance(address,uint256,uint256)',
  ].map((error): [string, string] => [toFunctionSelector(error), error.slice(0, error.indexOf('('))]),
])
