import type { Failpoint } from '../../base/failpoints'
import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { freeingFees, raised } from '../../chains/evm/gas'
import type { Head } from '../../chains/evm/rpc'
import type { Signer } from '../../chains/evm/signer'
import { gasOfNoop, type SignedTransaction } from '../../chains/evm/transactions'
import type { Db } from '../../db/database'
import type { Lease } from '../statements/lanes'
import { bytesOfFilled, commitReplacement, markSent, type NewAttempt, type OpenSlot } from '../statements/slots'
import { createSecondCheck, type SecondCheck } from './lane-status'
import { bytesAsHex, type Tracked } from './tracked'
import { hasExpired, isOverdue } from './verdict'
import type { Watcher } from './watcher'

/** How a send ended: a node has the bytes, they are mined, another transaction has their nonce, or the lane gave up waiting. */
export type Sent = 'taken' | 'mined' | 'nonce taken' | 'given up'

export type Sending = {
  chain: EvmChain
  watcher: Watcher
  /** Whether the lane may still send. */
  active: () => boolean
  /** Called after every refusal with the milliseconds that the bytes have waited. */
  onRefusal: (waitedMs: number) => void
  failpoint: Failpoint
  log: Log
}

const PAUSE_FIRST_MS = 100
const PAUSE_MAX_MS = 2_000
/** "Nonce too low" this often, without a receipt of ours, means that another program uses the key. */
const NONCE_CONFLICTS_MAX = 8

/** Sends the same bytes until a node takes them. A refusal is never believed: it only triggers checks. */
export async function sendUntilTaken(sending: Sending, slot: OpenSlot, attempt: NewAttempt): Promise<Sent> {
  const { chain, watcher, log } = sending
  const since = performance.now()
  const second = createSecondCheck(chain, bytesAsHex(slot.signer))
  let conflicts = 0
  for (let pause = PAUSE_FIRST_MS; sending.active(); pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    const { answer, detail } = await chain.send(bytesAsHex(attempt.raw))
    sending.failpoint('sent')
    if (answer === 'accepted' || answer === 'known') return 'taken'
    // Mined meanwhile: the refusal only reports that.
    if (!watcher.isOpen(slot.slotId)) return 'mined'
    if (/nonce too low/i.test(detail) && ++conflicts >= NONCE_CONFLICTS_MAX) {
      if ((await isTaken(chain, slot, second)) && watcher.isOpen(slot.slotId)) return 'nonce taken'
    }
    sending.onRefusal(performance.now() - since)
    log.warn({ network: chain.network, hash: attempt.hash, answer, detail }, 'send not accepted; the same bytes go out again')
    watcher.answered(slot.slotId)
    await pauseWhile(() => watcher.isOpen(slot.slotId), pause)
  }
  return 'given up'
}

/** Whether a foreign transaction has the nonce. A node without the receipts of ours proves nothing. */
async function isTaken(chain: EvmChain, { signer, nonce, attempts }: OpenSlot, second: SecondCheck): Promise<boolean> {
  try {
    const count = await chain.transactionCount(bytesAsHex(signer))
    const receipts = await chain.receipts(attempts.map(({ hash }) => bytesAsHex(hash)))
    if (count <= nonce || receipts.some((receipt) => receipt !== null)) return false
    return await second.agrees(({ mined }) => mined > nonce)
  } catch {
    // The node does not answer: the same bytes are sent again, and this is checked again.
    return false
  }
}

const CHECK_MS = 50

/** Waits for this time, or until the condition ends. */
async function pauseWhile(holds: () => boolean, pauseMs: number): Promise<void> {
  for (let left = pauseMs; left > 0 && holds(); left -= CHECK_MS)
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, CHECK_MS)))
}

type Replacing = {
  db: Db
  chain: EvmChain
  signer: Signer
  watcher: Watcher
  /** The lane's lease, because only its holder replaces; null in other instances. */
  lease: Lease | null
  recheckMs: number
  /** How long after its claim a payment is sent, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  failpoint: Failpoint
  log: Log
}

/** Rechecks without a block: bytes that a node holds are then too cheap; bytes that it lost are only sent again, for much longer. */
const RECHECKS_HELD = 3
const RECHECKS_LOST = 12
const BUMPS_MAX = 5
/** After the bumps, no-ops with raised fees follow; then an operator must look. */
const ATTEMPTS_MAX = 10
/**
 * One round over a lane's slots that no block takes. Signs the same members again with fees raised by an eighth or more, or a no-op that
 * frees the nonce when they cannot land any more. Every replacement is committed before it is sent. Returns the milliseconds until the
 * next round.
 */
export async function replaceStuck(replacing: Replacing): Promise<number> {
  const { watcher, lease, recheckMs } = replacing
  const hopeless = (entry: Tracked, head: Head) => isHopeless(entry, head, replacing)
  const head = watcher.head()
  if (lease && (await closeGap(replacing, lease))) return recheckMs
  const stuck =
    lease && head ? watcher.unmined(lease.laneId).filter((entry) => isStuck(entry, head, recheckMs, hopeless(entry, head))) : []
  for (const entry of stuck) if (lease) await replace(replacing, lease, entry)
  return recheckMs
}

/**
 * A reorganisation deeper than we watch took mined transactions of the lane off the chain: later ones wait for their nonces. The same bytes
 * go out again. False without such a gap; a node that lags behind the others is none.
 */
async function closeGap({ db, chain, watcher, recheckMs, log }: Replacing, lease: Lease): Promise<boolean> {
  const [oldest] = watcher.unmined(lease.laneId)
  if (!oldest || rechecksSince(oldest.signedAt, recheckMs) < RECHECKS_HELD) return false
  const counts = (await chain.countsOfNodes(oldest.from)).map(({ mined }) => mined)
  const [from] = counts.toSorted((a, b) => Number(a - b))
  const below = oldest.slot.nonce
  if (from === undefined || counts.some((count) => count >= below)) return false
  const forgotten = await bytesOfFilled(db, lease.laneId, { from, below })
  if (forgotten.length === 0) return false
  log.warn(
    { network: chain.network, from: String(from), below: String(below) },
    'the chain lost mined transactions; they are sent again',
  )
  for (const raw of forgotten) await chain.send(bytesAsHex(raw))
  return true
}

const rechecksSince = (since: number, recheckMs: number) => (performance.now() - since) / recheckMs

function isStuck(entry: Tracked, head: Head, recheckMs: number, hopeless: boolean): boolean {
  const { slot, signedAt, answer } = entry
  const newest = slot.attempts.at(-1)
  const rechecks = rechecksSince(signedAt, recheckMs)
  // No block may take it at this fee.
  if (newest && newest.maxFeePerGas < head.baseFee) return rechecks >= 1
  const lost = (answer === 'accepted' || answer === 'silent') && !hopeless
  return rechecks >= (lost ? RECHECKS_LOST : RECHECKS_HELD)
}

/** Whether no member can land or is still sent: only the nonce has to be used. */
function isHopeless({ members }: Tracked, head: Head, { now, horizonMs }: Pick<Replacing, 'now' | 'horizonMs'>): boolean {
  return members.every(({ member, decided }) => decided || hasExpired(member, head) || isOverdue(member, now(), horizonMs))
}

async function replace({ db, chain, watcher, failpoint, log, ...rest }: Replacing, lease: Lease, entry: Tracked): Promise<void> {
  const { slot } = entry
  const [count, balance] = await Promise.all([chain.transactionCount(entry.from), chain.balance(entry.from)])
  const head = watcher.head()
  // Mined, but its receipt cannot be read: there is nothing to replace.
  if (count > slot.nonce || !head) return
  const signed = replacementOf({ chain, head, balance, ...rest }, entry)
  if (!signed) return
  const step = signed.kind === 'noop' ? 'noop' : 'bump'
  failpoint(`${step} signed`)
  if (!(await commitReplacement(db, lease, slot.slotId, signed))) return
  failpoint(`${step} committed`)
  watcher.replaced(slot.slotId, signed)
  const { answer, detail } = await chain.send(bytesAsHex(signed.raw))
  if (answer === 'accepted' || answer === 'known') await markSent(db, slot.slotId, signed.hash)
  const line = { network: chain.network, nonce: String(slot.nonce), hash: signed.hash, kind: signed.kind, answer, detail }
  log.warn(line, 'a stuck transaction was replaced')
}

/**
 * The transaction for the nonce of a stuck one: its members with higher fees, within the row's ceiling and the balance; or a no-op, for
 * which there is no ceiling. Null when there is none.
 */
export function replacementOf(
  { chain, signer, head, balance, ...time }: Pick<Replacing, 'chain' | 'signer' | 'now' | 'horizonMs'> & Chances,
  entry: Tracked,
): SignedTransaction | null {
  const { attempts, nonce } = entry.slot
  const newest: NewAttempt | undefined = attempts.at(-1)
  if (!newest || entry.unread || attempts.length >= ATTEMPTS_MAX) return null
  if (isHopeless(entry, head, time) || attempts.length > BUMPS_MAX) {
    const freeing = freeingFees(chain.network, newest, head.baseFee, balance / gasOfNoop(chain.network))
    return freeing && chain.signNoop(signer, nonce, freeing)
  }
  const fees = raised(chain.network, newest, head.baseFee)
  if (!fees) return null
  const transfers = entry.members.map(({ transfer }) => transfer)
  const signed = chain.sign(signer, nonce, transfers, fees, true)
  return chain.mostOf(signed) <= balance ? signed : null
}

/** The newest block, and the balance of the signer in wei. */
type Chances = { head: Head; balance: bigint }
