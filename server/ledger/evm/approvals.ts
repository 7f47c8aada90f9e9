import type { Failpoint } from '../../base/failpoints'
import type { Log } from '../../base/log'
import { startLoop } from '../../base/loop'
import { type Approval, costOfApproval } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import type { Watched } from '../returned'
import type { LaneClass } from '../statements/lanes'
import type { Lane } from './lane'
import type { Queued } from './queue'

type ApprovalsOptions = {
  networks: ReadonlyMap<string, Watched>
  /** The lanes that can send ether to a payer. */
  lanesFor: (network: string, laneClass: LaneClass) => readonly Lane[]
  /** Queues a claim whose payer has approved; false when no lane takes it. */
  queue: (network: string, laneClass: LaneClass, item: Queued) => boolean
  /** Ends the wait of a claim that will not be signed. */
  release: (settlementId: string, why: 'late' | 'underfunded') => void
  /** Counts a payer that used up its approval's nonce without approving, or took ether and has not approved in time. */
  unapproved: (settlementId: string, why: 'late' | 'nonce used') => Promise<void>
  failpoint: Failpoint
  log: Log
}

/** Claims that wait until their payers' own approvals are mined (docs/schemes.md). */
export type Approvals = {
  /** False when too many wait already. */
  add(network: string, laneClass: LaneClass, item: Queued): boolean
  has(settlementId: string): boolean
  stop(): Promise<void>
}

type Entry = {
  network: string
  laneClass: LaneClass
  item: Queued
  approval: Approval
  /** When it came, was last looked at, its approval was first and last sent, ether last asked for, and a used nonce first seen: monotonic milliseconds. */
  since: number
  readAt: number
  outSince: number | null
  sentAt: number
  fundedAt: number
  suspectedAt: number | null
}

/** How many wait at most: of a class of signers on a network, of one party there, and of one payer. None takes the place of all others. */
const CLASS_MAX = 200
const PARTY_MAX = 50
const PAYER_MAX = 5
const CHECK_MS = 200
/** Each look costs a node four calls: many that wait are looked at less often, so that nodes have time for what they wait for. */
const EACH_MS = 10
/** A node may lose the bytes, and a lane the request: both are repeated, and neither takes effect twice. */
const AGAIN_MS = 3_000
/** A lagging node may know the nonce and not the allowance yet. */
const SECOND_CHECK_MS = 1_000
const clock = () => performance.now()

/** Starts sending approvals. The nodes get no calls while none is waited for. */
export function startApprovals(options: ApprovalsOptions): Approvals {
  const entries = new Map<string, Entry>()

  async function check(): Promise<number | null> {
    if (entries.size === 0) return null
    // One of each payer: the others need no ether and no approval of their own after it.
    const first = new Map([...entries.values()].reverse().map((entry) => [payerIn(entry), entry]))
    const waiting = new Map<string, number>()
    for (const { network } of first.values()) waiting.set(network, (waiting.get(network) ?? 0) + 1)
    const everyMs = ({ network }: Entry) => Math.max(CHECK_MS, (waiting.get(network) ?? 0) * EACH_MS)
    const due = [...first.values()].filter((entry) => clock() - entry.readAt >= everyMs(entry))
    await Promise.all(due.map((entry) => step(entry).catch((error: unknown) => onTrouble(entry, error))))
    return entries.size === 0 ? null : CHECK_MS
  }

  async function step(entry: Entry): Promise<void> {
    entry.readAt = clock()
    const { network, item, approval } = entry
    const chain = options.networks.get(network)?.chain
    if (!chain) return end(entry, 'late')
    if (item.until <= clock()) return expire(entry, chain)
    const { approved, count, balance, l1Fee } = await chain.approvalState(item.transfer)
    if (approved) return pass(entry)
    if (count > approval.nonce) return fail(entry)
    entry.suspectedAt = null
    const cost = costOfApproval(approval) + l1Fee
    if (balance >= cost) {
      if (clock() - entry.sentAt < AGAIN_MS) return
      entry.sentAt = clock()
      entry.outSince ??= clock()
      const { answer, detail } = await chain.send(approval.raw)
      options.failpoint('approval sent')
      options.log.info({ network, settlementId: item.settlementId, hash: approval.hash, answer, detail }, 'an approval was sent')
    } else if (clock() - entry.fundedAt >= AGAIN_MS) {
      // With the price of its bytes on the L1 it costs more than we pay.
      if (cost > chain.approvalMax) return end(entry, 'late')
      const lane = options.lanesFor(network, entry.laneClass).find((one) => one.status() === 'ready')
      if (!lane) return
      entry.fundedAt = clock()
      const { settlementId, until, transfer } = item
      lane.fund({ settlementId, to: transfer.authorization.from, value: cost - balance, until })
    }
  }

  function pass(entry: Entry): void {
    const { network, laneClass, item } = entry
    entries.delete(item.settlementId)
    // It was judged before the approval: it is simulated again.
    const judged = { ...item, judgedAt: Number.NEGATIVE_INFINITY }
    if (!options.queue(network, laneClass, judged)) options.release(item.settlementId, 'late')
  }

  // Neither a silent node nor a slow lane is the payer's fault: only that the ether is gone, or that the approval was out for a third of the time.
  async function expire(entry: Entry, chain: Watched['chain']): Promise<void> {
    const { item, approval, since, outSince } = entry
    const wasOut = outSince !== null && 3 * (clock() - outSince) > clock() - since
    const failed = await chain.approvalState(item.transfer).then(
      ({ approved, balance, l1Fee }) => !approved && (wasOut || balance < costOfApproval(approval) + l1Fee),
      () => false,
    )
    if (failed) await options.unapproved(item.settlementId, 'late')
    end(entry, 'late')
  }

  async function fail(entry: Entry): Promise<void> {
    entry.suspectedAt ??= clock()
    if (clock() - entry.suspectedAt < SECOND_CHECK_MS) return
    const { network, item } = entry
    options.log.warn({ network, settlementId: item.settlementId }, 'an approval did not take effect')
    await options.unapproved(item.settlementId, 'nonce used')
    end(entry, 'underfunded')
  }

  function end({ item: { settlementId } }: Entry, why: 'late' | 'underfunded'): void {
    entries.delete(settlementId)
    options.release(settlementId, why)
  }

  function onTrouble({ network }: Entry, error: unknown): void {
    options.log.warn({ err: error, network }, 'an approval cannot be followed now')
  }

  function hasRoom(network: string, laneClass: LaneClass, { party, transfer: { authorization } }: Queued): boolean {
    const waiting = [...entries.values()].filter((entry) => entry.network === network && entry.laneClass === laneClass)
    const ofParty = waiting.filter(({ item }) => item.party === party).length
    const ofPayer = waiting.filter(({ item }) => item.transfer.authorization.from === authorization.from).length
    return waiting.length < CLASS_MAX && ofParty < PARTY_MAX && ofPayer < PAYER_MAX
  }

  const checking = startLoop(check, (error) => options.log.error({ err: error }, 'approvals cannot be followed'), CHECK_MS)
  return {
    add(network, laneClass, item) {
      const approval = methodFor(item.transfer).approval(item.transfer)
      if (!approval || !hasRoom(network, laneClass, item)) return false
      const never = Number.NEGATIVE_INFINITY
      entries.set(item.settlementId, {
        network,
        laneClass,
        item,
        approval,
        since: clock(),
        readAt: never,
        outSince: null,
        sentAt: never,
        fundedAt: never,
        suspectedAt: null,
      })
      checking.kick()
      return true
    },
    has: (settlementId) => entries.has(settlementId),
    stop: checking.stop,
  }
}

const payerIn = ({ network, item }: Entry) => `${network} ${item.transfer.authorization.from}`
