import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { provesTransfer } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { createSecondLook } from './second-endpoint'
import { bytesAsHex, minedOf, type Tracked } from './tracked'
import { type FailureKind, hasExpired, isOverdue, type Mined, type Observation, observe, type SlotMember } from './verdict'

export type MemberCheckOptions = {
  chain: EvmChain
  /** The number of blocks above a transaction before anything is concluded from it. */
  depth: bigint
  recheckMs: number
  /** How long after its claim a payment is sent, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  /** Whether a transfer lands only when two endpoints show it. */
  isLarge: (transfer: SignedTransfer) => boolean
  log: Log
}

/** What one check of the chain showed; `used`: whether the authorization is used. */
type Seen = { mined: Mined | null; head: Head; used?: boolean }

/** The checks of one member of a slot. */
type MemberChecks = {
  observed(entry: Tracked, one: SlotMember, mined: Mined | null, head: Head): Observation
  /** Whether its transfer landed; of a large one two endpoints must show that. */
  isLanded(entry: Tracked, one: SlotMember, mined: Mined, head: Head): boolean
  /** Whether two endpoints show the same of it. They are asked in the background, and the check after their answers goes on. */
  isSeenTwice(entry: Tracked, one: SlotMember, kind: FailureKind | 'landed', seen: Seen): boolean
}

/** The checks of the members of a network's slots. */
export function createMemberChecks(options: MemberCheckOptions): MemberChecks {
  const { chain, depth, recheckMs, log } = options
  const secondLook = createSecondLook(chain, { pauseMs: recheckMs, log })

  function observed(entry: Tracked, one: SlotMember, mined: Mined | null, head: Head): Observation {
    const over = isOverdue(one.member, options.now(), options.horizonMs) || tokenLied(entry, one, mined)
    return observe(one, mined?.kind === 'batch', mined, head, depth, over)
  }

  function isSeenTwice(entry: Tracked, one: SlotMember, kind: FailureKind | 'landed', { mined, head, used }: Seen): boolean {
    const expired = kind !== 'landed' && hasExpired(one.member, head)
    const blockHash = mined?.receipt.blockHash

    async function shows(endpoint: EvmChain): Promise<boolean> {
      const itsHead = await endpoint.head()
      const hashes = entry.slot.attempts.map(({ hash }) => bytesAsHex(hash))
      const [receipts, itsUsed] = await Promise.all([
        endpoint.receipts(hashes, itsHead),
        used === undefined ? undefined : endpoint.authorizationUsed(one.transfer, itsHead),
      ])
      const itsMined = minedOf(entry, new Map(hashes.map((hash, at) => [hash, receipts[at] ?? null])))
      if (itsMined?.receipt.blockHash !== blockHash || itsUsed !== used) return false
      if (kind !== 'landed' && hasExpired(one.member, itsHead) !== expired) return false
      return observed(entry, one, itsMined, itsHead) === kind
    }

    const fact = [one.member.settlementId, kind, blockHash ?? 'not mined', used, expired].join(' ')
    return secondLook(one, fact, shows, () => {
      entry.fresh = true
    })
  }

  return {
    observed,
    isLanded(entry, one, mined, head) {
      if (observed(entry, one, mined, head) !== 'landed') return false
      return one.decided || !options.isLarge(one.transfer) || isSeenTwice(entry, one, 'landed', { mined, head })
    },
    isSeenTwice,
  }
}

/**
 * Whether a receipt shows that the token of a member moved or logged something else: it has as many transfers of the method that are no
 * member's as the slot has unproven members whose authorizations may be used.
 */
export function tokenLied(
  { members, unread }: Tracked,
  { transfer }: SlotMember,
  mined: Mined | null,
  unused?: ReadonlySet<SlotMember>,
): boolean {
  const receipt = mined?.receipt
  // A transfer that this build cannot read is no stray.
  if (unread || !receipt?.succeeded || provesTransfer(receipt, transfer)) return false
  const ofMethod = members.filter((one) => one.transfer.method === transfer.method)
  const names = new Set(ofMethod.map((one) => methodFor(one.transfer).proof(one.transfer)))
  const strays = methodFor(transfer).strays(receipt.logs, names)
  return strays > 0 && strays >= ofMethod.filter((one) => !unused?.has(one) && !provesTransfer(receipt, one.transfer)).length
}
