import { sha256 } from 'viem'
import { toBase58 } from '../../../encodings'
import { wholeShare } from './instructions'
import type { UptoChannel } from './transfers'

/** What a channel is on the chain. */
type ChannelStatus = 'open' | 'closing' | 'sealed' | 'distributed'

/** A channel as its account has it. Amounts are atomic units. */
export type SvmChannelState = { status: ChannelStatus; settled: bigint; isAsked: boolean }

const STATUSES: readonly ChannelStatus[] = ['open', 'closing', 'sealed', 'distributed']
const BYTES = 256

/**
 * Reads a channel's account. `isAsked`: it has the terms of this channel, and at least its deposit, because its payer may put more into it.
 * Null for other bytes.
 */
export function readChannelState(bytes: Uint8Array, asked: UptoChannel): SvmChannelState | null {
  const status = STATUSES[bytes[3] ?? STATUSES.length]
  if (bytes.length !== BYTES || bytes[0] !== 1 || !status) return null
  const data = Buffer.from(bytes)
  const address = (at: number) => toBase58(data.subarray(at, at + 32))
  const share = sha256(wholeShare(asked.payTo), 'bytes')
  const isAsked =
    data.readBigUInt64LE(12) >= asked.maximum &&
    data.readUInt32LE(52) === asked.withdrawDelay &&
    data.subarray(56, 88).equals(share) &&
    address(88) === asked.payer &&
    address(120) === asked.feePayer &&
    address(152) === asked.authorizer &&
    address(184) === asked.asset &&
    address(216) === asked.feePayer &&
    data.readBigUInt64LE(248) === asked.openSlot
  return { status, settled: data.readBigUInt64LE(20), isAsked }
}
