import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import type { EventLog } from '../../../server/x402/schemes/evm-method'
import type { SignedEip3009 } from '../../../server/x402/schemes/exact/transfers'

const tokenAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** An account that has no part in the transfer. */
export const OTHER = '0x4444444444444444444444444444444444444444'

/** A transfer by EIP-3009, of which the logs below are. */
export const transfer: SignedEip3009 = {
  method: 'eip3009',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  authorization: {
    from: '0x1111111111111111111111111111111111111111',
    to: '0x2222222222222222222222222222222222222222',
    value: 1_000n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce: `0x${'ab'.repeat(32)}`,
  },
  signature: '0x',
  proof: 'key',
}

const { asset, authorization } = transfer

const topicsOf = (topics: readonly (Hex | Hex[] | null)[]) => topics.filter((topic): topic is Hex => typeof topic === 'string')

/** The log that says that its authorization was used, or another one. */
export function used(changes: { address?: Hex; authorizer?: Hex; nonce?: Hex } = {}): EventLog {
  const { address = asset, authorizer = authorization.from, nonce = authorization.nonce } = changes
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationUsed', args: { authorizer, nonce } })
  return { address, topics: topicsOf(topics), data: '0x' }
}

/** The log that says that its payer cancelled its authorization. */
export function cancelled(): EventLog {
  const { from, nonce } = authorization
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationCanceled', args: { authorizer: from, nonce } })
  return { address: asset, topics: topicsOf(topics), data: '0x' }
}

/** The log of what it moved, or of another move. */
export function moved(changes: { address?: Hex; from?: Hex; to?: Hex; value?: bigint } = {}): EventLog {
  const { address = asset, from = authorization.from, to = authorization.to, value = authorization.value } = changes
  const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer', args: { from, to } })
  return { address, topics: topicsOf(topics), data: encodeAbiParameters([{ type: 'uint256' }], [value]) }
}
