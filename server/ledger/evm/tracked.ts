import type { SendAnswer } from '../../chains/evm/chain'
import type { Receipt } from '../../chains/evm/receipts'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { readKnownTransfer, writeTransfer } from '../../x402/schemes/evm-methods'
import type { NewAttempt, OpenSlot } from '../statements/slots'
import { failedStates, isIn } from '../states'
import type { Queued } from './queue'
import type { Mined, SlotMember } from './verdict'

/** A watched slot. Times are monotonic milliseconds. */
export type Tracked = {
  slot: OpenSlot
  from: `0x${string}`
  members: SlotMember[]
  /** It has members that only a newer build can read: this one neither ends it nor signs anything in its place. */
  unread: boolean
  mined: boolean
  /** The chain has not been read since the slot came under watch. */
  fresh: boolean
  /** No node has answered the first send of its bytes yet. */
  leaving: boolean
  /** The watching instance, if it is another one, was notified of the newest bytes. */
  announced: boolean
  /** When the newest bytes were first sent, and when any were last sent. */
  signedAt: number
  sentAt: number
  /** A node's last response to a repeated send of the newest bytes; null without one. */
  answer: SendAnswer['answer'] | null
}

/** The tracking entry of a slot. */
export function tracking(slot: OpenSlot, sends: Pick<Tracked, 'signedAt' | 'sentAt' | 'leaving'>): Tracked {
  const members = slot.members.flatMap((member): SlotMember[] => {
    const transfer = readKnownTransfer(member.transfer, member.asset)
    return transfer ? [{ member, transfer, decided: isIn(failedStates, member.state), suspected: null }] : []
  })
  const unread = members.length < slot.members.length
  const unseen = { mined: false, fresh: true, announced: false, answer: null }
  return { slot, from: bytesAsHex(slot.signer), members, unread, ...unseen, ...sends }
}

/** The slot of a transaction that was just committed, with these claims as its members. */
export function slotOf(
  place: Pick<OpenSlot, 'slotId' | 'laneId' | 'network' | 'signer' | 'nonce'>,
  attempt: NewAttempt,
  items: readonly Queued[],
): OpenSlot {
  const members = items.map(({ settlementId, tier, asset, transfer, expiresAt, claimedAt }) => ({
    settlementId,
    tier,
    asset,
    expiresAt,
    claimedAt,
    state: 'PREPARED' as const,
    transfer: writeTransfer(transfer),
  }))
  return { ...place, attempts: [attempt], members }
}

/** The mined transaction of a slot, if any. Throws when a receipt is invalid and no other is valid. */
export function minedOf({ slot }: Tracked, receipts: Map<`0x${string}`, Receipt | Error | null>): Mined | null {
  let invalid: Error | null = null
  for (const { hash, kind } of slot.attempts) {
    const receipt = receipts.get(bytesAsHex(hash)) ?? null
    if (receipt instanceof Error) invalid = receipt
    else if (receipt) return { kind, receipt }
  }
  if (invalid) throw invalid
  return null
}

/** A lane's unmined slots in nonce order. */
export function unminedOf(all: Iterable<Tracked>, laneId: string): Tracked[] {
  const unmined: Tracked[] = []
  for (const entry of all) if (!entry.mined && entry.slot.laneId === laneId) unmined.push(entry)
  return unmined.sort(byNonce)
}

/** Signed and unmined transfers of these payers, in nonce order. */
export function transfersInFlight(all: Iterable<Tracked>, payers: ReadonlySet<string>): SignedTransfer[] {
  return [...all]
    .filter(({ mined }) => !mined)
    .sort(byNonce)
    .flatMap(({ members }) => members.filter((one) => isInFlight(one, payers)).map(({ transfer }) => transfer))
}

/** Whether a lane has a signed and unmined transfer of this payer. It runs for every lane and every payment, so it makes no list. */
export function hasInFlight(all: Iterable<Tracked>, laneId: string, payer: string): boolean {
  for (const { slot, mined, members } of all)
    if (!mined && slot.laneId === laneId && members.some((one) => !one.decided && one.transfer.authorization.from === payer))
      return true
  return false
}

const isInFlight = ({ decided, transfer }: SlotMember, payers: ReadonlySet<string>) =>
  !decided && payers.has(transfer.authorization.from)

/** The order in which the chain takes them. */
export const byNonce = (a: Tracked, b: Tracked) => (a.slot.nonce < b.slot.nonce ? -1 : 1)

/** A hash, an address or raw bytes of the ledger as typed hex: they were written from such values. */
export function bytesAsHex(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
