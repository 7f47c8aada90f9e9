import type { EvmChain } from '../../chains/evm/chain'
import type { Head } from '../../chains/evm/rpc'
import type { Signer } from '../../chains/evm/signer'
import { raised, type SignedTransaction } from '../../chains/evm/transactions'
import type { Db } from '../../db/database'
import type { Log } from '../../log'
import type { Failpoint } from '../failpoints'
import type { Lease } from '../statements/lanes'
import { commitReplacement, markSent, type NewAttempt, type OpenSlot } from '../statements/slots'
import { createSecondLook, type SecondLook } from './lane-status'
import { asHash, type Tracked } from './tracked'
import { hasExpired, isOverdue } from './verdict'
import type { Watcher } from './watcher'

/** How a send ended: a node has the bytes, they are mined, another transaction has their nonce, or the lane gave up waiting. */
export type Sent = 'taken' | 'mined' | 'nonce taken' | 'given up'

export type Sending = {
  chain: EvmChain
  watcher: Watcher
  /** Whether the lane still may send. */
  active: () => boolean
  /** Told after every refusal how long the bytes have been waiting, in milliseconds. */
  onRefusal: (waitedMs: number) => void
  failpoint: Failpoint
  log: Log
}

const PAUSE_FIRST_MS = 100
const PAUSE_MAX_MS = 2_000
/** "Nonce too low" this often, with no receipt of ours, means that someone else uses the key. */
const NONCE_CONFLICTS_MAX = 8

/** Sends the same bytes until a node takes them: what a node says of a refused send is not believed, only looked into. */
export async function sendUntilTaken(sending: Sending, slot: OpenSlot, attempt: NewAttempt): Promise<Sent> {
  const { chain, watcher, log } = sending
  const since = performance.now()
  const second = createSecondLook(chain, asHash(slot.signer))
  let conflicts = 0
  for (let pause = PAUSE_FIRST_MS; sending.active(); pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    const { answer, detail } = await chain.send(asHash(attempt.raw))
    sending.failpoint('sent')
    if (answer === 'accepted' || answer === 'known') return 'taken'
    // Mined meanwhile: the node only told it in its own words.
    if (!watcher.isOpen(slot.slotId)) return 'mined'
    if (/nonce too low/i.test(detail) && ++conflicts >= NONCE_CONFLICTS_MAX) {
      if ((await isTaken(chain, slot, second)) && watcher.isOpen(slot.slotId)) return 'nonce taken'
    }
    sending.onRefusal(performance.now() - since)
    log.warn({ network: chain.network, hash: attempt.hash, answer, detail }, 'send not accepted; the same bytes go out again')
    watcher.kick()
    await pauseWhile(() => watcher.isOpen(slot.slotId), pause)
  }
  return 'given up'
}

/** Whether a transaction that is not ours has the nonce. A node that cannot show the receipts of ours proves nothing. */
async function isTaken(chain: EvmChain, { signer, nonce, attempts }: OpenSlot, second: SecondLook): Promise<boolean> {
  try {
    const count = await chain.transactionCount(asHash(signer))
    const receipts = await chain.receipts(attempts.map(({ hash }) => asHash(hash)))
    if (count <= nonce || receipts.some((receipt) => receipt !== null)) return false
    return await second.agrees(({ mined }) => mined > nonce)
  } catch {
    // It does not answer: the same bytes go out again, and it is asked once more.
    return false
  }
}

const LOOK_MS = 50

/** Waits so long, or until the condition ends. */
async function pauseWhile(holds: () => boolean, pauseMs: number): Promise<void> {
  for (let left = pauseMs; left > 0 && holds(); left -= LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, LOOK_MS)))
}

export type Replacing = {
  db: Db
  chain: EvmChain
  signer: Signer
  watcher: Watcher
  /** Only the holder of the lane's lease replaces; null: not this instance. */
  lease: Lease | null
  recheckMs: number
  /** How long a payment is carried after its claim, milliseconds. */
  horizonMs: number
  /** Unix seconds. */
  now: () => bigint
  failpoint: Failpoint
  log: Log
}

/** Bytes that a node holds and no block takes for so many rechecks are too cheap; bytes that it lost are only sent again, much longer. */
const RECHECKS_HELD = 3
const RECHECKS_LOST = 12
const BUMPS_MAX = 5
/** After the bumps, a no-op of raised fees a few times more; then an operator has to look. */
const ATTEMPTS_MAX = 10
/** No transfer of ours is worth more, wei per gas. */
const FEE_MAX = 100n * 10n ** 9n

/**
 * One round over a lane's slots that no block takes: the same members at fees an eighth higher or more, or, when they cannot land any
 * more, a no-op that frees the nonce. Every replacement is committed before it is sent. Returns the milliseconds until the next round.
 */
export async function replaceStuck(replacing: Replacing): Promise<number> {
  const { watcher, lease, recheckMs } = replacing
  const hopeless = (entry: Tracked, head: Head) => isHopeless(entry, head, replacing)
  const head = watcher.head()
  const stuck =
    lease && head ? watcher.unmined(lease.laneId).filter((entry) => isStuck(entry, head, recheckMs, hopeless(entry, head))) : []
  for (const entry of stuck) if (lease) await replace(replacing, lease, entry)
  return recheckMs
}

function isStuck(entry: Tracked, head: Head, recheckMs: number, hopeless: boolean): boolean {
  const { slot, signedAt, answer } = entry
  const newest = slot.attempts.at(-1)
  const rechecks = (performance.now() - signedAt) / recheckMs
  // No block may take it at this fee.
  if (newest && newest.maxFeePerGas < head.baseFee) return rechecks >= 1
  const lost = (answer === 'accepted' || answer === 'silent') && !hopeless
  return rechecks >= (lost ? RECHECKS_LOST : RECHECKS_HELD)
}

/** No member can land any more, or is carried any longer: only the nonce still has to be used. */
function isHopeless({ members }: Tracked, head: Head, { now, horizonMs }: Pick<Replacing, 'now' | 'horizonMs'>): boolean {
  return members.every(({ member, decided }) => decided || hasExpired(member, head) || isOverdue(member, now(), horizonMs))
}

async function replace({ db, chain, watcher, failpoint, log, ...rest }: Replacing, lease: Lease, entry: Tracked): Promise<void> {
  const { slot } = entry
  // Mined, and only its receipt cannot be had: there is nothing to replace.
  if ((await chain.transactionCount(entry.from)) > slot.nonce) return
  const signed = replacementOf({ chain, watcher, ...rest }, entry)
  if (!signed) return
  const step = signed.kind === 'noop' ? 'noop' : 'bump'
  failpoint(`${step} signed`)
  if (!(await commitReplacement(db, lease, slot.slotId, signed))) return
  failpoint(`${step} committed`)
  watcher.replaced(slot.slotId, signed)
  const { answer, detail } = await chain.send(asHash(signed.raw))
  if (answer === 'accepted' || answer === 'known') await markSent(db, slot.slotId, signed.hash)
  const line = { network: chain.network, nonce: String(slot.nonce), hash: signed.hash, kind: signed.kind, answer, detail }
  log.warn(line, 'a stuck transaction was replaced')
}

function replacementOf(
  { chain, signer, watcher, ...time }: Pick<Replacing, 'chain' | 'signer' | 'watcher' | 'now' | 'horizonMs'>,
  entry: Tracked,
): SignedTransaction | null {
  const { attempts, nonce } = entry.slot
  const newest: NewAttempt | undefined = attempts.at(-1)
  const head = watcher.head()
  if (!newest || !head || attempts.length >= ATTEMPTS_MAX) return null
  const fees = raised(newest, head.baseFee)
  if (fees.maxFeePerGas > FEE_MAX) return null
  if (isHopeless(entry, head, time) || attempts.length > BUMPS_MAX) return chain.signNoop(signer, nonce, fees)
  return chain.sign(
    signer,
    nonce,
    entry.members.map(({ transfer }) => transfer),
    fees,
    true,
  )
}
