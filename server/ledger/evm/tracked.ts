import type { SendAnswer } from '../../chains/evm/chain'
import type { Receipt } from '../../chains/evm/receipts'
import type { OpenSlot } from '../statements/slots'
import { failedStates, isIn } from '../states'
import { readTransfer } from './payloads'
import type { Mined, SlotMember } from './verdict'

/** A slot under watch. Milliseconds are of a clock that never jumps. */
export type Tracked = {
  slot: OpenSlot
  from: `0x${string}`
  members: SlotMember[]
  mined: boolean
  /** The node has not been asked since the slot came under watch. */
  fresh: boolean
  /** The instance that watches has a notice of its newest bytes, if it is another one. */
  told: boolean
  /** When its newest bytes were first sent, and when any were sent last. */
  signedAt: number
  sentAt: number
  /** What a node last said to the same bytes again; null when it was not asked since they were signed. */
  answer: SendAnswer['answer'] | null
}

/** A slot that comes under watch. */
export function tracking(slot: OpenSlot, times: { signedAt: number; sentAt: number }): Tracked {
  const members = slot.members.map((member) => ({
    member,
    transfer: readTransfer(member.transfer),
    decided: isIn(failedStates, member.state),
    doubt: null,
  }))
  return { slot, from: asHash(slot.signer), members, mined: false, fresh: true, told: false, answer: null, ...times }
}

/** Which transaction of a slot was mined, if any was. Throws when the node sent nonsense about one and no receipt of another. */
export function minedOf({ slot }: Tracked, receipts: Map<`0x${string}`, Receipt | Error | null>): Mined | null {
  let nonsense: Error | null = null
  for (const { hash, kind } of slot.attempts) {
    const receipt = receipts.get(asHash(hash)) ?? null
    if (receipt instanceof Error) nonsense = receipt
    else if (receipt) return { kind, receipt }
  }
  if (nonsense) throw nonsense
  return null
}

/** In the order in which nonces are used. */
export const byNonce = (a: Tracked, b: Tracked) => (a.slot.nonce < b.slot.nonce ? -1 : 1)

/** Hex that the ledger keeps: hashes, addresses and raw bytes were written from it. */
export function asHash(text: string): `0x${string}` {
  return `0x${text.slice(2)}`
}
