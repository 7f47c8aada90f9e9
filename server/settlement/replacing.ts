import type { EvmChain } from '../chains/evm/chain'
import { raised } from '../chains/evm/fees'
import type { Head } from '../chains/evm/head'
import type { Signer } from '../chains/evm/signer'
import type { SignedTransaction } from '../chains/evm/transactions'
import type { Log } from '../log'
import type { Db } from '../store/database'
import type { Lease } from '../store/lanes'
import { commitReplacement, markSent, type NewAttempt } from '../store/slots'
import type { Failpoint } from './failpoints'
import { asHash, type Tracked } from './tracked'
import { hasExpired, isOverdue } from './verdict'
import type { Watcher } from './watcher'

export type Replacing = {
  db: Db
  chain: EvmChain
  signer: Signer
  watcher: Watcher
  /** Only the holder of the lane's lease replaces; null: nobody here. */
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
  const stuck = lease && head ? watcher.unmined(lease.laneId).filter((entry) => isStuck(entry, head, recheckMs, hopeless(entry, head))) : []
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
function isHopeless({ passengers }: Tracked, head: Head, { now, horizonMs }: Pick<Replacing, 'now' | 'horizonMs'>): boolean {
  return passengers.every(({ member, decided }) => decided || hasExpired(member, head) || isOverdue(member, now(), horizonMs))
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
    entry.passengers.map(({ transfer }) => transfer),
    fees,
  )
}
