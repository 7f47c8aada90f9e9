import type { Failpoint } from '../../base/failpoints'
import type { EvmChain } from '../../chains/evm/chain'
import { type Receipt, transferLogIndex } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import type { Db } from '../../db/database'
import { recordFailed, recordIncluded, recordMined, recordReturned, recordUnpreconfirmed } from '../statements/landings'
import { recordBurns, recordMissed } from '../statements/payer-failures'
import type { Member } from '../statements/slots'
import { failedStates, isIn } from '../states'
import { mayHaveUsed } from '../uses'
import type { Waiters } from '../waiting'
import { failingOf } from './failing'
import { createMemberChecks, type MemberCheckOptions, tokenLied } from './member-checks'
import { landingOf } from './payloads'
import type { Tracked } from './tracked'
import {
  conclusion,
  confirms,
  type FailureKind,
  hasExpired,
  isOverdue,
  type Mined,
  observe,
  type SlotMember,
  type SuspectedFailure,
  silentEnd,
} from './verdict'

export type SlotJudgeOptions = MemberCheckOptions & {
  db: Db
  /** Wakes the waiting request of a settlement that became answerable. */
  wake: (settlementId: string) => void
  /** Delivers outcomes to the waiting requests of settlements in one statement, and wakes those that get none. */
  deliver: Waiters['deliver']
  /** Called when settlements are claims again. */
  returned: () => void
  failpoint: Failpoint
}

/** A member whose transfer seems to have failed, and how. */
type Suspect = { slotMember: SlotMember; kind: FailureKind }

/** Judges one check of the chain for a slot; true when nothing is left to watch in it. */
type SlotJudge = (entry: Tracked, mined: Mined | null, head: Head) => Promise<boolean>

/** Records what checks of the chain prove: a landed transfer at once, a failed one when two checks agree. */
export function createSlotJudge(options: SlotJudgeOptions): SlotJudge {
  const { db, chain, depth, recheckMs, log } = options
  /** The blocks in which the members' code was read, and the batches in which one burnt gas. */
  const searched = new WeakMap<Tracked, string>()
  const burned = new WeakSet<Tracked>()
  /** The blocks that have lone transactions without their transfers. */
  const missed = new WeakMap<Tracked, string>()
  const { observed, isLanded, isSeenTwice } = createMemberChecks(options)

  async function judge(entry: Tracked, mined: Mined | null, head: Head): Promise<boolean> {
    // By the transaction's kind: members that came back before are no longer members.
    const shared = mined?.kind === 'batch'
    const landed = mined ? entry.members.filter((one) => isLanded(entry, one, mined, head)) : []
    if (mined && landed.length > 0) await land(entry, landed, mined.receipt)
    const suspects: Suspect[] = []
    if (mined?.kind === 'pay' && landed.length === 0 && !entry.unread) await noteMissed(entry, mined)
    if (mined && shared) await noteBurns(entry, mined, head)
    for (const slotMember of entry.members) {
      if (landed.includes(slotMember) || slotMember.decided) continue
      const kind = observed(entry, slotMember, mined, head)
      if (kind === 'landed' || kind === 'waiting' || kind === 'mined') slotMember.suspected = null
      else suspects.push({ slotMember, kind })
    }
    await checkAgain(entry, suspects, mined, head)
    if (!mined || !isOver(entry, landed, mined.receipt, head)) return false
    if (landed.length === 0) await recordMined(db, landingOf(mined.receipt))
    return true
  }

  // Deep, or proven by the logs of all members: until then the block may vanish and the nonce with it.
  function isOver({ members, unread }: Tracked, landed: SlotMember[], receipt: Receipt, head: Head): boolean {
    if (unread || !members.every(({ decided }) => decided)) return false
    return (members.length > 0 && landed.length === members.length) || head.number - receipt.block >= depth
  }

  async function land({ slot }: Tracked, landed: SlotMember[], receipt: Receipt): Promise<void> {
    const members = landed.map(({ member: { settlementId }, transfer }) => ({
      settlementId,
      logIndex: transferLogIndex(receipt, transfer),
    }))
    const ids = landed.map(({ member }) => member.settlementId)
    const moved = new Set<string>()
    await options.deliver(ids, async (waiting) => {
      const rows = await recordIncluded(db, slot.slotId, members, landingOf(receipt), recheckMs, waiting)
      options.failpoint('landed')
      for (const { id } of rows) moved.add(id)
      return new Map(rows.flatMap(({ id, delivered }) => (delivered ? [[id, delivered]] : [])))
    })
    for (const { member, decided } of landed) {
      const { settlementId } = member
      const line = { settlementId, network: chain.network, hash: receipt.hash, block: String(receipt.block) }
      if (decided && !moved.has(settlementId) && isIn(failedStates, member.state))
        log.error(line, 'a settlement that was answered as failed is on the chain')
      else if (moved.has(settlementId)) log.info(line, 'landed')
    }
    for (const slotMember of landed) slotMember.decided = true
  }

  async function noteMissed(entry: Tracked, { receipt }: Mined): Promise<void> {
    if (missed.get(entry) === receipt.blockHash) return
    await recordMissed(
      db,
      entry.members.map(({ member }) => member.settlementId),
    )
    missed.set(entry, receipt.blockHash)
  }

  // Before anything is concluded: the burn must be recorded when the members come back.
  async function noteBurns(entry: Tracked, mined: Mined, head: Head): Promise<void> {
    const { receipt } = mined
    const { network } = chain
    if (searched.get(entry) === receipt.blockHash) return
    const missing = entry.members.filter((one) => {
      const observed = one.decided ? 'waiting' : observe(one, true, mined, head, depth)
      return observed === 'unlogged' || observed === 'reverted'
    })
    if (missing.length === 0) return
    try {
      const settlements = await burnedBy(chain, missing, receipt)
      if (settlements.length > 0) {
        await recordBurns(db, settlements)
        burned.add(entry)
      }
      searched.set(entry, receipt.blockHash)
      if (settlements.length > 0)
        log.warn({ settlements, network, hash: receipt.hash }, 'payers with code took gas and did not pay')
    } catch (error) {
      // The second check reads again. A node that forgot the block must not keep the members open.
      log.warn({ err: error, network, hash: receipt.hash }, 'the code of payers cannot be read at the block of their batch')
    }
  }

  /** Ends the suspects that failed in two checks. Reads all together, so that a failed batch does not cost one call per member. */
  async function checkAgain(entry: Tracked, suspects: Suspect[], mined: Mined | null, head: Head): Promise<void> {
    const early = ({ slotMember: { suspected }, kind }: Suspect) =>
      suspected?.kind === kind && kind === 'absent' && head.number - suspected.block < depth
    const due = suspects.filter((one) => !early(one))
    const used = await Promise.all(due.map(({ slotMember }) => chain.authorizationUsed(slotMember.transfer, head)))
    const unused = new Set(due.filter((_, at) => used[at] !== true).map(({ slotMember }) => slotMember))
    const returned: SlotMember[] = []
    for (const [at, { slotMember, kind }] of due.entries()) {
      const earlier = slotMember.suspected
      const seen: SuspectedFailure = { kind, block: head.number, at: performance.now(), used: used[at] === true }
      if (earlier && confirms(earlier, seen, depth, recheckMs)) {
        if (!isSeenTwice(entry, slotMember, kind, { mined, head, used: seen.used })) continue
        const lied = tokenLied(entry, slotMember, mined, unused)
        if (await conclude(entry, { slotMember, seen, lied }, mined, head)) returned.push(slotMember)
      } else if (earlier?.kind !== kind || earlier.used !== seen.used) slotMember.suspected = seen
    }
    if (returned.length > 0) await returnMembers(entry, returned, mined)
  }

  /**
   * Concludes from two checks that agree. The transfer failed, unless our own transaction may have used the authorization. True when the
   * transfer can still happen.
   */
  async function conclude(
    entry: Tracked,
    { slotMember, seen, lied }: { slotMember: SlotMember; seen: SuspectedFailure; lied: boolean },
    mined: Mined | null,
    head: Head,
  ): Promise<boolean> {
    const { slot } = entry
    const receipt = mined?.receipt ?? null
    const { settlementId, asset } = slotMember.member
    const hash = receipt?.hash ?? slot.attempts.at(-1)?.hash ?? ''
    const mayBeOurs = seen.used && (await mayHaveUsed(chain, entry, slotMember, receipt, head))
    const expired = hasExpired(slotMember.member, head)
    const over = isOverdue(slotMember.member, options.now(), options.horizonMs)
    const deploys = slotMember.transfer.proof === 'factory'
    const silent = silentEnd(slotMember.transfer)
    const to = conclusion(seen, { shared: mined?.kind === 'batch', deploys, expired, mayBeOurs, lied, silent, over })
    const line = { settlementId, network: chain.network, hash }
    if (to === 'CLAIMED') return true
    if (to === 'INCLUDED') {
      if (receipt) await land(entry, [slotMember], receipt)
      return false
    }
    if (!to) {
      slotMember.suspected = seen
      log.error({ ...line, asset, ...seen, block: String(seen.block) }, 'the chain contradicts itself; the settlement stays open')
      return false
    }
    const isUnproven = seen.used && !lied
    const facts = {
      to,
      transfer: slotMember.transfer,
      kind: seen.kind,
      mined,
      hash,
      expired,
      isUnproven,
      burned: burned.has(entry),
    }
    const failing = await failingOf(chain, facts, log)
    const landing = receipt ? landingOf(receipt) : null
    const state = await recordFailed(db, { settlementId, slotId: slot.slotId }, { ...failing, landing })
    slotMember.decided = true
    // Null: another instance moved it. Recovery brings it back if it is still in flight.
    if (state) slotMember.member.state = state
    options.wake(settlementId)
    log.warn({ ...line, state }, 'failed')
    return false
  }

  /** The nonce is used, deep, without these transfers: they leave the slot, and recovery decides about each. */
  async function returnMembers({ slot }: Tracked, members: SlotMember[], mined: Mined | null): Promise<void> {
    for (const { member } of members) if (member.state === 'PRECONFIRMED') await undoPreconfirmation(slot.slotId, member)
    const settlements = members.map(({ member }) => member.settlementId)
    if (mined) await recordReturned(db, slot.slotId, settlements, landingOf(mined.receipt))
    for (const slotMember of members) slotMember.decided = true
    log.warn(
      { network: chain.network, hash: mined?.receipt.hash, settlements },
      'a transaction was mined without these transfers',
    )
    options.returned()
  }

  async function undoPreconfirmation(slotId: string, member: Member): Promise<void> {
    const { settlementId } = member
    log.error({ settlementId, network: chain.network }, 'a preconfirmed transfer did not reach the chain; it is in flight again')
    await recordUnpreconfirmed(db, { settlementId, slotId })
    member.state = 'BROADCAST'
  }

  return judge
}

/**
 * The settlements missing from a batch whose payers had code in its block. Payers with code are sent alone, so these got it after the last
 * check before the send.
 */
async function burnedBy(chain: EvmChain, missing: readonly SlotMember[], { blockHash }: Receipt): Promise<string[]> {
  const payers = missing.map(({ transfer }) => transfer.authorization.from)
  const codes = await chain.codesAt(payers, blockHash)
  return missing.filter((_, at) => codes[at] !== '0x').map(({ member }) => member.settlementId)
}
