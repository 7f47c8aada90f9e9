import { type Hex, parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import type { CallResult, EventLog } from './evm-method'

/** The parts of an ERC-20 token that every method uses. */
export const erc20Abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The topic of ERC-20's Transfer. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** The topic of EIP-3009's use of an authorization, which its Transfer follows. */
export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

/** The parts of a Transfer log, in lower case; null for any other log. */
export function readTransferLog({ address, topics, data }: EventLog): { asset: Hex; from: Hex; to: Hex; value: bigint } | null {
  const [event, from, to] = topics
  if (event !== TRANSFER || !from || !to || data.length !== 66) return null
  return { asset: address, from: addressIn(from), to: addressIn(to), value: BigInt(data) }
}

/** The address in a topic. */
export const addressIn = (topic: Hex): Hex => `0x${topic.slice(26)}`

/** The number that a call returned; null when it failed or returned something else. */
export function wordOf(result: CallResult | undefined): bigint | null {
  return result?.success && result.returnData.length === 66 ? BigInt(result.returnData) : null
}

/** Whether the result of a call is that of an account without code: a success with nothing. */
export const isEmpty = (result: CallResult | undefined): boolean => result?.success === true && result.returnData === '0x'

/** The errors of Permit2, of the x402 proxy and of OpenZeppelin's ERC-20 that have a name and no text, by selector. */
export const revertNames: ReadonlyMap<string, string> = new Map(
  [
    ...['InvalidNonce()', 'SignatureExpired(uint256)', 'InvalidSigner()', 'InvalidContractSignature()', 'InvalidSignature()'],
    ...['InvalidSignatureLength()', 'InvalidAmount()', 'InvalidAmount(uint256)', 'InvalidDestination()', 'InvalidOwner()'],
    ...['InvalidPermit2Address()', 'PaymentTooEarly()', 'Permit2612AmountMismatch()', 'ReentrancyGuardReentrantCall()'],
    ...['ERC20InsufficientBalance(address,uint256,uint256)', 'ERC20InsufficientAllowance(address,uint256,uint256)'],
  ].map((error) => [toFunctionSelector(error), error.slice(0, error.indexOf('('))]),
)
